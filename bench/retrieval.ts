// How often the right skill is found, on real skills and what their authors expect people to say, beside simpler methods.
//   node bench/retrieval.ts [FOLDER]     default: ../shared/retrieval
// Each source counts the same. Nothing of the data is kept here: without it there is nothing to measure.
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import { createMemorySource, createSkills, type Skill, type Skills } from "@skillholm/core";
import MiniSearch from "minisearch";
import { stemmer } from "stemmer";

interface Document {
  readonly id: number;
  readonly repo: string;
  readonly name: string;
  readonly description: string;
  readonly body: string;
}

interface Question {
  readonly query: string;
  readonly expected: readonly number[];
  readonly source: string;
}

/** The ids of what was found, best first; `without` a repository, as if it were not there. */
type Method = (query: string, without?: string) => Promise<readonly number[]>;

const stops = new Set(
  "a an and are as at be by can do for from has have help how i if in is it me my need of on or our please should so that the their them this to use used user users using want we what when which will with would you your skill skills".split(
    " ",
  ),
);

const folder = resolve(process.argv[2] ?? join(import.meta.dirname, "../../shared/retrieval"));
if (existsSync(join(folder, "queries.jsonl"))) await measureAll();
else console.log(`There is no ${folder}: give the folder with skills.jsonl.gz and queries.jsonl.`);

async function measureAll(): Promise<void> {
  const documents = parseLines<Document>(gunzipSync(readFileSync(join(folder, "skills.jsonl.gz"))).toString());
  const questions = parseLines<Question>(readFileSync(join(folder, "queries.jsonl"), "utf8"));
  const sources = [...new Set(questions.map(({ source }) => source))].sort();
  const skills = await openAll(documents);
  const methods: Readonly<Record<string, Method>> = {
    "token overlap": overlap(documents),
    "MiniSearch, defaults": miniSearch(documents, {}),
    "MiniSearch, stop words and stems": miniSearch(documents, { processTerm }),
    "the same with bodies": miniSearch(documents, { processTerm }, { body: 0.3 }),
    Skillholm: async (query) => (await find(skills, query)).map(({ id }) => id),
  };
  console.log(`${documents.length} skills, ${questions.length} questions of ${sources.length} sources\n`);
  console.log(`${"".padEnd(34)}recall@1  recall@5  MRR@10   ${sources.map((name) => name.slice(0, 14)).join("  ")}`);
  for (const [name, method] of Object.entries(methods)) {
    const rows: Measures[] = [];
    for (const source of sources) {
      const own = questions.filter((question) => question.source === source);
      rows.push(measure(own, await Promise.all(own.map(({ query }) => method(query)))));
    }
    const mean = (pick: (row: Measures) => number) => rows.reduce((sum, row) => sum + pick(row), 0) / rows.length;
    const cells = [mean((row) => row.first), mean((row) => row.five), mean((row) => row.reciprocal)];
    const each = rows.map((row) => `${percent(row.first)}/${percent(row.five)}`.padEnd(14)).join("  ");
    console.log(`${name.padEnd(34)}${cells.map((cell) => percent(cell).padStart(8)).join("  ")}   ${each}`);
  }
  await measureDoubt(skills, documents, questions);
  await measureExclusions(skills, documents);
}

interface Measures {
  readonly first: number;
  readonly five: number;
  readonly reciprocal: number;
}

function measure(questions: readonly Question[], answers: readonly (readonly number[])[]): Measures {
  const ranks = questions.map(({ expected }, index) => answers[index]?.findIndex((id) => expected.includes(id)) ?? -1);
  const share = (value: (rank: number) => number) => {
    return ranks.reduce((sum, rank) => sum + (rank < 0 ? 0 : value(rank)), 0) / ranks.length;
  };
  return {
    first: share((rank) => (rank === 0 ? 1 : 0)),
    five: share((rank) => (rank < 5 ? 1 : 0)),
    reciprocal: share((rank) => (rank < 10 ? 1 / (rank + 1) : 0)),
  };
}

/** Whether a score tells an answer from the least bad: the same questions with and without the repository that has it. */
async function measureDoubt(
  skills: Skills,
  documents: readonly Document[],
  questions: readonly Question[],
): Promise<void> {
  let [right, sure, none, surprised] = [0, 0, 0, 0];
  for (const { query, expected } of questions) {
    const { hits, confident } = await skills.search(query);
    if (expected.includes(idOf(hits[0]?.skill))) {
      right++;
      if (confident) sure++;
    }
    const repos = new Set(expected.map((id) => documents[id]?.repo));
    const accept = (skill: Skill) => !repos.has(documents[idOf(skill)]?.repo);
    none++;
    if ((await skills.search(query, { accept })).confident) surprised++;
  }
  console.log(`\nsure of its answer when that is right: ${percent(sure / right)} %`);
  console.log(
    `says that nothing clearly matches when the answer's repository is taken away: ${percent(1 - surprised / none)} %`,
  );
}

/** What a skill says that it is not for, asked for: how often is that skill first all the same? */
async function measureExclusions(skills: Skills, documents: readonly Document[]): Promise<void> {
  const said =
    /\b(?:do not|don['’]t) use (?:this skill )?(?:for|when|if)\b:?([^.;]{12,160})|\bnot for\b:?([^.;]{12,160})/i;
  let [first, asked] = [0, 0];
  for (const { id, description } of documents) {
    const [, a, b] = said.exec(description) ?? [];
    const query = a ?? b;
    if (query === undefined) continue;
    asked++;
    if (idOf((await skills.search(query, { limit: 1 })).hits[0]?.skill) === id) first++;
  }
  console.log(`first for what it says that it is not for: ${percent(first / asked)} % of ${asked}`);
}

async function openAll(documents: readonly Document[]): Promise<Skills> {
  const files = documents.map(({ id, name, description, body }) => {
    return [
      `/s/${id}/SKILL.md`,
      `---\nname: ${JSON.stringify(name)}\ndescription: ${JSON.stringify(description)}\n---\n${body}`,
    ];
  });
  const root = { path: "/s", scope: "user", trusted: true, writable: false, links: "inside" } as const;
  const source = createMemorySource(Object.fromEntries(files));
  return createSkills({ sources: [{ source, roots: [root] }], policy: { collisions: "keep-all" } });
}

async function find(skills: Skills, query: string): Promise<readonly { readonly id: number }[]> {
  return (await skills.search(query, { limit: 10 })).hits.map(({ skill }) => ({ id: idOf(skill) }));
}

function idOf(skill: Skill | undefined): number {
  return Number(skill?.path.split("/")[2]);
}

/** Words of the query that stand in name or description. */
function overlap(documents: readonly Document[]): Method {
  const words = documents.map(({ name, description }) => new Set(wordsOf(`${name} ${description}`)));
  return async (query) => {
    const asked = [...new Set(wordsOf(query))];
    const scores = words.map((own) => asked.filter((word) => own.has(word)).length);
    return documents
      .map(({ id }) => id)
      .sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b)
      .slice(0, 10);
  };
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

function processTerm(term: string): string | null {
  const word = term.toLowerCase();
  return stops.has(word) ? null : stemmer(word);
}

function miniSearch(
  documents: readonly Document[],
  options: object,
  extra: Readonly<Record<string, number>> = {},
): Method {
  const index = new MiniSearch({ fields: ["name", "description", ...Object.keys(extra)], ...options });
  index.addAll(documents.map((document) => ({ ...document, body: document.body.slice(0, 3000) })));
  return async (query) =>
    index
      .search(query, { boost: extra })
      .slice(0, 10)
      .map(({ id }) => id as number);
}

function parseLines<T>(text: string): readonly T[] {
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as T);
}

function percent(share: number): string {
  return (share * 100).toFixed(1);
}

// How fast a search is among many skills, as ratios to MiniSearch with its defaults on the same names and descriptions; ours
// has the bodies too.
//   node --expose-gc bench/search.ts [COUNT…]     default: 10000 100000
// Then the whole way from disk for 25,000 skills: how long, and how long it ever held up other work.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { openSkills } from "@skillholm/core";
import MiniSearch from "minisearch";
import { parseQuery } from "../packages/core/src/search/query.ts";
import { SearchIndex, type SearchText } from "../packages/core/src/search/search-index.ts";
import { seededRandom } from "./generate.ts";

interface Document extends SearchText {
  readonly id: number;
}

const vocabulary = 40_000;
const queries = 300;

for (const count of counts()) compare(count);
await readFromDisk(25_000);

function counts(): readonly number[] {
  const given = process.argv.slice(2).map(Number).filter(Boolean);
  return given.length > 0 ? given : [10_000, 100_000];
}

function compare(count: number): void {
  const documents = makeDocuments(count);
  const asked = makeQueries(documents);

  const before = memory();
  let start = performance.now();
  const index = new SearchIndex<Document>();
  for (const document of documents) index.add(document, document);
  const build = performance.now() - start;
  const held = memory() - before;
  const ours = asked.map((query) => time(() => index.match(parseQuery(query, index), 8, () => true)));
  const updates = documents.slice(0, 200).map((document) =>
    time(() => {
      index.remove(document);
      index.add({ ...document }, document);
    }),
  );

  const theirs = new MiniSearch<Document>({ fields: ["name", "uses"] });
  start = performance.now();
  theirs.addAll(documents);
  const theirBuild = performance.now() - start;
  const theirTimes = asked.map((query) => time(() => theirs.search(query).slice(0, 8)));

  console.log(`\n${count} skills`);
  console.log(`a query       median ${ratio(quantile(ours, 0.5), quantile(theirTimes, 0.5))} of MiniSearch's`);
  console.log(`              95th percentile ${ratio(quantile(ours, 0.95), quantile(theirTimes, 0.95))}`);
  console.log(
    `              median ${quantile(ours, 0.5).toFixed(2)} ms, 95th percentile ${quantile(ours, 0.95).toFixed(2)} ms here`,
  );
  console.log(`the index     ${ratio(build, theirBuild)} of the time of MiniSearch's, which has no bodies`);
  console.log(`              ${((build / count) * 25).toFixed(1)} s for 25,000 here`);
  console.log(
    `one change    ${((quantile(updates, 0.5) * count) / build).toFixed(1)} times a skill's share of the build`,
  );
  console.log(`memory        ${(held / count).toFixed(0)} bytes a skill`);
}

async function readFromDisk(count: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "skillholm-bench-"));
  try {
    for (const { id, name, uses, body } of makeDocuments(count)) {
      mkdirSync(join(folder, String(id)));
      writeFileSync(join(folder, String(id), "SKILL.md"), `---\nname: ${name}\ndescription: ${uses}\n---\n${body}`);
    }
    const root = { path: folder, scope: "user", trusted: true, writable: true, links: "anywhere" } as const;
    const load = performance.now();
    const skills = await openSkills({ roots: [root] });
    const loaded = performance.now() - load;
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const start = performance.now();
    await skills.prepareSearch();
    const prepared = performance.now() - start;
    delay.disable();
    console.log(`\nfrom disk, ${count} skills`);
    console.log(
      `the index     ${ratio(prepared, loaded)} of the time of finding and loading them; ${(prepared / 1000).toFixed(1)} s here`,
    );
    console.log(`              held up other work for at most ${(delay.max / 1e6).toFixed(0)} ms at a time`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function makeDocuments(count: number): readonly Document[] {
  const random = seededRandom(count);
  const words = Array.from({ length: vocabulary }, (_, rank) => makeWord(rank));
  // A few words are everywhere, most are rare, as in every language.
  const word = () => words[Math.min(vocabulary - 1, Math.floor(vocabulary ** random() - 1))] as string;
  const text = (length: number) => Array.from({ length }, word).join(" ");
  // As it is after reading: one piece of memory, not many strings put together.
  const flat = (text: string) => Buffer.from(text).toString("latin1");
  return Array.from({ length: count }, (_, id) => ({
    id,
    name: flat(`${word()}-${word()}-${id}`),
    uses: flat(`${text(14)}. Use when ${text(10)}, ${text(4)}.`),
    exclusions: id % 5 === 0 ? flat(text(6)) : "",
    body: flat(`# ${text(4)}\n\n${text(320)}.`),
  }));
}

/** A sentence with some of a skill's words among others. */
function makeQueries(documents: readonly Document[]): readonly string[] {
  const random = seededRandom(7);
  return Array.from({ length: queries }, () => {
    const { uses } = documents[Math.floor(random() * documents.length)] as Document;
    const words = uses.split(/[ .,]+/).filter(() => random() < 0.3);
    return `could you please help me with the ${words.join(" ")} for our team`;
  });
}

function makeWord(rank: number): string {
  const syllables =
    "ba be bi bo bu da de di do ka ke ki ko la le li lo ma me mi na ne ni no pa pe pi ra re ri sa se si ta te".split(
      " ",
    );
  let word = "";
  for (let rest = rank + 40; rest > 0; rest = Math.floor(rest / syllables.length))
    word += syllables[rest % syllables.length];
  return `${word}${"nrst"[rank % 4]}`;
}

function time(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

function memory(): number {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0;
}

function ratio(ours: number, theirs: number): string {
  return (ours / theirs).toFixed(3);
}

import { bodyOf } from "./body.ts";
import { buildCatalog, type Catalog, groupTwins } from "./catalog.ts";
import type { Diagnostic } from "./diagnostic.ts";
import { type Discovery, skillFile } from "./discover.ts";
import { SkillError } from "./error.ts";
import { type Answers, askGate, type Gate, onlyBarred } from "./gate.ts";
import { sha256 } from "./hash.ts";
import { type Limits, resolveLimits } from "./limits.ts";
import { type Entry, findSkill, lookupSkill } from "./lookup.ts";
import { parseSkill } from "./parse.ts";
import { type Policy, standardPolicy } from "./policy.ts";
import { type Changes, createRediscovery } from "./rediscover.ts";
import type { Parsed } from "./report.ts";
import type { Root } from "./root.ts";
import { compareCatalogs, saysTheSame } from "./same-catalog.ts";
import { type Embed, fuseMeaning, MeaningIndex } from "./search/meaning.ts";
import { type SearchOptions, type SearchRequest, type SearchResult, searchSkills } from "./search/search.ts";
import { SkillIndex } from "./search/skill-index.ts";
import type { Skill } from "./skill.ts";
import type { Candidate, FileList, FileStamp, FileStart, SkillRef, Source, SourceRoots } from "./source.ts";
import { createWatching, type Watch } from "./watch.ts";

/** All skills of some roots, kept. */
export interface LoadedSkills {
  /** The picture of the last load; never changes by itself. */
  readonly catalog: Catalog;
  readonly policy: Policy;
  readonly limits: Limits;
  /** Looks again and makes a new catalog; what did not change is the same object as before. */
  reload(): Promise<Catalog>;
  /** Keeps the catalog up with its sources until it is closed; `changed` gets every catalog that says something else. */
  watch(changed?: (catalog: Catalog) => void): Watch;
  /** The usable skill that a name, `name@scope` or path means; throws a `SkillError` that says why not. */
  find(reference: string): Skill;
  /** The same for people: a skill in whatever state. */
  lookup(reference: string): Entry;
  /** The instructions: `SKILL.md` without its frontmatter. */
  body(skill: SkillRef): Promise<string>;
  files(skill: SkillRef): Promise<FileList>;
  read(skill: SkillRef, file: string): Promise<Uint8Array>;
  /** The first bytes of a file, however large it is. */
  readStart(skill: SkillRef, file: string, bytes: number): Promise<FileStart>;
  /** The skills that fit a request, best first; the index is made at the first one and kept up from then on. */
  search(query: string, options?: SearchOptions & Partial<Pick<SearchRequest, "accept">>): Promise<SearchResult>;
  /** Makes the index ahead of the first search, in slices between other work. */
  prepareSearch(): Promise<void>;
  /** sha256 of `SKILL.md`. */
  hash(skill: SkillRef): Promise<string>;
  /** sha256 of every file of the skill, by its path in it. */
  fileHashes(skill: SkillRef): Promise<Readonly<Record<string, string>>>;
  /** sha256 over the path and content of every file of the skill. */
  digest(skill: SkillRef): Promise<string>;
}

export interface SkillsOptions {
  /** Strongest first, as are the roots of each. */
  readonly sources: readonly SourceRoots[];
  readonly policy?: Partial<Policy>;
  /** Says why a skill of a trusted root waits all the same, if it does. */
  readonly gate?: Gate;
  /** Ranks by meaning too. Off without it: words alone need no model and no network. */
  readonly embed?: Embed;
}

/** What is kept of a candidate between two loads. */
interface Loaded extends FileStamp {
  readonly parsed: Parsed;
}

/** By root first: two sources may use the same paths. */
type LoadedFiles = ReadonlyMap<Root, ReadonlyMap<string, Loaded>>;

/** Loads skills through any sources; touches no disk by itself. */
export async function loadSkills(options: SkillsOptions): Promise<LoadedSkills> {
  const sources = new Map(options.sources.flatMap(({ source, roots }) => roots.map((root) => [root, source])));
  const policy: Policy = { ...standardPolicy, ...options.policy };
  const limits = resolveLimits(policy.limits);
  const hashes = new WeakMap<SkillRef, string>();
  let loaded: LoadedFiles = new Map();
  /** What the gate said of each skill; undefined lets it pass. */
  let answers: Answers = new Map();

  const sourceOf = (skill: SkillRef): Source => {
    const source = sources.get(skill.root);
    if (source === undefined)
      throw new SkillError("invalid-input", `${skill.path} belongs to no root of these skills.`);
    return source;
  };
  const read = async (skill: SkillRef, file: string) => sourceOf(skill).read(skill, file, limits);
  const hash = async (skill: SkillRef): Promise<string> => {
    const made = sourceOf(skill).hashes?.(skill)?.[skillFile] ?? (await sha256(await read(skill, skillFile)));
    hashes.set(skill, made);
    return made;
  };

  const fileHashes = async (skill: SkillRef) => {
    const source = sourceOf(skill);
    return source.hashes?.(skill) ?? hashFiles(await source.files(skill, limits), (file) => read(skill, file));
  };

  /** A file with a new time that says the same, and whose text is still the one that was hashed, is the same skill. */
  const isUnchanged = async (before: Skill | undefined, now: Skill | undefined): Promise<boolean> => {
    const known = before === undefined ? undefined : hashes.get(before);
    if (before === undefined || now === undefined || known === undefined || !saysTheSame(before, now)) return false;
    return (await hash(now).catch(() => "")) === known;
  };

  // The same path may lead to another file by now.
  const known = (root: Root, path: string, realPath: string): Loaded | undefined => {
    const last = loaded.get(root)?.get(path);
    return last?.parsed.realPath === realPath ? last : undefined;
  };
  const rediscovery = createRediscovery(
    options.sources,
    { limits, nested: policy.nested, known },
    ({ root, path, realPath }) => known(root, path, realPath) !== undefined,
  );

  /** What a candidate's text says; the same object as before where that did not change. */
  const parseAgain = async (candidate: Candidate): Promise<Parsed> => {
    const last = known(candidate.root, candidate.path, candidate.realPath)?.parsed;
    const fresh = parseSafely(candidate, policy);
    return last !== undefined && (await isUnchanged(last.skill, fresh.skill)) ? last : fresh;
  };

  const load = async (discovery: Discovery, extent: "all" | "changes"): Promise<Catalog> => {
    const now = new Map<Root, Map<string, Loaded>>();
    const all: Parsed[] = [];
    for (const candidate of discovery.candidates) {
      const { root, path, stamp, size, mtimeMs, inode, beside } = candidate;
      const unchanged = candidate.head === undefined ? known(root, path, candidate.realPath) : undefined;
      const parsed = unchanged?.parsed ?? (await parseAgain(candidate));
      all.push(parsed);
      if (!now.has(root)) now.set(root, new Map());
      now.get(root)?.set(path, { stamp, size, mtimeMs, inode, beside, parsed });
    }
    loaded = now;
    const twins = groupTwins(
      all.flatMap((each) => each.skill ?? []),
      policy,
    );
    // What is told of changes need not look for them.
    const hashOnce = async (skill: SkillRef) => (extent === "changes" ? hashes.get(skill) : undefined) ?? hash(skill);
    const isSame = twins.length === 0 ? undefined : await compareTwins(twins, hashOnce);
    answers = await askGate(options.gate, all, fileHashes, extent === "changes" ? answers : new Map());
    return buildCatalog({ discovery, parsed: all, policy, limits, isSame, barred: onlyBarred(answers) });
  };

  const index = new SkillIndex((found, bytes) => readStarts(found, bytes, sourceOf, read));
  const meanings = options.embed === undefined ? undefined : new MeaningIndex(options.embed);
  const search = async (query: string, request: Partial<SearchRequest> = {}): Promise<SearchResult> => {
    const { skills } = catalog;
    const { accept = () => true, limit, scope } = request;
    const rank = (most: number | undefined) =>
      index.use(skills, (ranked) =>
        searchSkills(ranked, skills, query, { ...request, accept, ...(most && { limit: most }) }),
      );
    if (meanings === undefined) return rank(limit);
    const found = await rank(50);
    const isMeant = (skill: Skill) => (scope === undefined || skill.scope === scope) && accept(skill);
    try {
      return fuseMeaning(found, await meanings.rank(skills, query, isMeant), limit);
    } catch (error) {
      return { ...(await rank(limit)), problem: `ranked by words only: ${(error as Error).message}` };
    }
  };

  let catalog = await load(await rediscovery.discover(), "all");
  // One after the other: of two looks, the later one is the one that stays.
  let pending: Promise<unknown> = Promise.resolve();
  const look = (changes?: Changes): Promise<Catalog> => {
    const run = async () => {
      const discovery = await rediscovery.discover(changes);
      if (rediscovery.isSame(discovery)) return catalog;
      const next = await load(discovery, changes === undefined ? "all" : "changes");
      if (watching.isOn) rediscovery.keep(discovery);
      const verdict = compareCatalogs(catalog, next);
      if (verdict !== "same") catalog = next;
      if (verdict === "different") watching.tell(catalog);
      return catalog;
    };
    const next = pending.then(run, run);
    pending = next;
    return next;
  };
  const watching = createWatching<Catalog>({ sources: options.sources, limits, look, stopped: rediscovery.forget });
  return {
    get catalog() {
      return catalog;
    },
    policy,
    limits,
    reload: () => look(),
    watch: watching.open,
    find: (reference) => findSkill(catalog, reference),
    lookup: (reference) => lookupSkill(catalog, reference),
    body: async (skill) => bodyOf(await read(skill, skillFile)),
    files: async (skill) => sourceOf(skill).files(skill, limits),
    read,
    readStart: async (skill, file, bytes) => sourceOf(skill).readStart(skill, file, bytes),
    search,
    prepareSearch: () => index.use(catalog.skills, () => undefined),
    hash,
    fileHashes,
    digest: async (skill) => digestOf(await fileHashes(skill)),
  };
}

/** Through the source of each, many at once where it can. */
async function readStarts(
  skills: readonly Skill[],
  bytes: number,
  sourceOf: (skill: Skill) => Source,
  read: (skill: Skill, file: string) => Promise<Uint8Array>,
): Promise<readonly (Uint8Array | undefined)[]> {
  const starts = new Map<Skill, Uint8Array | undefined>();
  for (const [source, group] of Map.groupBy(skills, sourceOf)) {
    const found = await source.starts?.(group, bytes).catch(() => []);
    for (const [index, skill] of group.entries()) {
      const start = found === undefined ? await read(skill, skillFile).catch(() => undefined) : found[index];
      starts.set(skill, start?.subarray(0, bytes));
    }
  }
  return skills.map((skill) => starts.get(skill));
}

// Whatever a file or a source does to the parser, it is that file's problem and not the end of the load.
function parseSafely(candidate: Candidate, policy: Policy): Parsed {
  const { root, path, dir, realPath, realDir, folder: name, head } = candidate;
  try {
    if (head !== undefined) return parseSkill(candidate, head, policy);
    throw new Error("its source gave no frontmatter");
  } catch (error) {
    const reason = `the frontmatter cannot be read: ${(error as Error).message}`;
    const diagnostic: Diagnostic = {
      code: "yaml-invalid",
      severity: "error",
      path,
      line: 1,
      column: 1,
      message: reason,
    };
    return { root, path, dir, realPath, realDir, name, reason, diagnostics: [diagnostic] };
  }
}

// Only skills of one name and one size can be twins, so that nothing else is read.
async function compareTwins(
  groups: readonly (readonly Skill[])[],
  hash: (skill: Skill) => Promise<string>,
): Promise<(a: Skill, b: Skill) => boolean> {
  const texts = new Map<Skill, string>();
  for (const group of groups) {
    for (const twins of Map.groupBy(group, (skill) => skill.size).values()) {
      if (twins.length === 1) continue;
      for (const skill of twins) texts.set(skill, await hash(skill).catch(() => skill.path));
    }
  }
  return (a, b) => texts.has(a) && texts.get(a) === texts.get(b);
}

async function hashFiles(list: FileList, read: (file: string) => Promise<Uint8Array>): Promise<Record<string, string>> {
  if (list.truncated) throw new SkillError("unavailable", "The skill has too many files for a digest.");
  const hashes: [string, string][] = [];
  for (const { path } of list.files) hashes.push([path, await sha256(await read(path))]);
  return Object.fromEntries(hashes);
}

/** sha256 over the path and content of every file, by their own. */
export function digestOf(hashes: Readonly<Record<string, string>>): Promise<string> {
  const lines = Object.entries(hashes).map(([path, hash]) => `${hash}  ${path}\n`);
  return sha256(new TextEncoder().encode(lines.join("")));
}

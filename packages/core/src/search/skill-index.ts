import { locateFrontmatter } from "../frontmatter.ts";
import type { Skill } from "../skill.ts";
import { splitExclusions } from "./exclusions.ts";
import { SearchIndex, type SearchText } from "./search-index.ts";

/** Reads the first bytes of each skill's `SKILL.md`; undefined for what cannot be read. */
export type ReadStarts = (skills: readonly Skill[], bytes: number) => Promise<readonly (Uint8Array | undefined)[]>;

// Frontmatter and as much of the body as says what it is about.
const readBytes = 10 * 1024;
const bodyBytes = 6000;
// As far as a frontmatter may reach, and a body behind it.
const mostBytes = 300 * 1024;
// As many as are read between two looks at the clock.
const batch = 32;
const sliceMs = 10;

/**
 * The index of a list of skills, kept up with it: what is new is added, what is gone removed. Works in slices, so that a
 * server goes on answering.
 */
export class SkillIndex {
  #index = new SearchIndex<Skill>();
  readonly #readStarts: ReadStarts;
  #pending: Promise<unknown> = Promise.resolve();
  #indexed: readonly Skill[] = [];

  constructor(readStarts: ReadStarts) {
    this.#readStarts = readStarts;
  }

  /** Works with the index of exactly these skills; one after the other, for the next may be of others. */
  async use<R>(skills: readonly Skill[], work: (index: SearchIndex<Skill>) => R): Promise<R> {
    const next = this.#pending.then(async () => work(await this.#catchUp(skills)));
    this.#pending = next.catch(() => undefined);
    return next;
  }

  async #catchUp(skills: readonly Skill[]): Promise<SearchIndex<Skill>> {
    if (skills === this.#indexed) return this.#index;
    const now = new Set(skills);
    const gone = this.#indexed.filter((skill) => !now.has(skill));
    // Beyond this a new one is cheaper than the gaps in the old.
    if (gone.length + this.#index.removed > skills.length) this.#index = new SearchIndex();
    else for (const skill of gone) this.#index.remove(skill);
    const index = this.#index;
    // What is half done is begun anew.
    this.#indexed = [];
    this.#index = new SearchIndex();
    await addAll(
      index,
      skills.filter((skill) => !index.has(skill)),
      this.#readStarts,
    );
    this.#index = index;
    this.#indexed = skills;
    return index;
  }
}

async function addAll(index: SearchIndex<Skill>, skills: readonly Skill[], readStarts: ReadStarts): Promise<void> {
  let pause = performance.now() + sliceMs;
  for (let from = 0; from < skills.length; from += batch) {
    const some = skills.slice(from, from + batch);
    const starts = await readStarts(some, readBytes);
    for (const [offset, skill] of some.entries()) {
      const [start] = needsMore(starts[offset]) ? await readStarts([skill], mostBytes) : [starts[offset]];
      index.add(skill, textOf(skill, start));
    }
    if (performance.now() < pause) continue;
    await nextTurn();
    pause = performance.now() + sliceMs;
  }
}

/** What of a skill is searched. */
function textOf(skill: Skill, start?: Uint8Array): SearchText {
  const { description, fields } = skill;
  const { uses, exclusions } = splitExclusions(fields.whenToUse ? `${description}\n${fields.whenToUse}` : description);
  const { tags = "", keywords = "", when_to_use = "", "when-to-use": when = "" } = fields.metadata ?? {};
  const own = [...(fields.tags ?? []), ...(fields.triggers?.keywords ?? []), fields.openai?.shortDescription ?? ""];
  const more = [...own, tags, keywords, when_to_use, when].filter(Boolean);
  return {
    name: skill.name,
    uses: more.length === 0 ? uses : `${uses}\n${more.join("\n")}`,
    exclusions,
    body: start === undefined ? "" : bodyOf(start),
  };
}

function needsMore(start: Uint8Array | undefined): boolean {
  if (start === undefined || start.length < readBytes) return false;
  return locateFrontmatter(start, start.length, false).status === "open";
}

const decoder = new TextDecoder();

function bodyOf(start: Uint8Array): string {
  const span = locateFrontmatter(start, start.length, true);
  if (span.status !== "closed") return "";
  return decoder.decode(start.subarray(span.body, span.body + bodyBytes));
}

/** Lets what waits have its turn. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof setImmediate === "function") setImmediate(resolve);
    else setTimeout(resolve);
  });
}

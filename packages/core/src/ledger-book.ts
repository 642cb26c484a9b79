import type { Activation } from "./activate.ts";
import { SkillError } from "./error.ts";
import type { DecisionBook } from "./gatekeeper.ts";
import {
  emptyLedger,
  keepLatest,
  type Ledger,
  type LedgerActivation,
  type LedgerAnswer,
  type LedgerDecision,
} from "./ledger.ts";
import type { Skill } from "./skill.ts";
import type { SkillRef } from "./source.ts";
import { checksum, describeGiven, findGiven } from "./transcript.ts";

/** What became of the skills that a conversation has activated. */
export interface Observation {
  /** Whose text the messages still hold, by name. */
  readonly inContext: readonly string[];
  /** Whose `SKILL.md` is another one now. */
  readonly changed: readonly string[];
  /** Which are no longer there. */
  readonly removed: readonly string[];
}

/** What is asked of the skills to see whether they are still the same. */
interface SkillFiles {
  readonly catalog: { readonly skills: readonly Skill[] };
  hash(skill: SkillRef): Promise<string>;
}

// A chain of skills that is longer than this has lost its way.
const deepest = 8;

/** Keeps a conversation's ledger. */
export class LedgerBook implements DecisionBook {
  #ledger: Ledger;
  #context: "kept" | "unknown";

  constructor(ledger: Ledger = emptyLedger, context: "kept" | "unknown" = "unknown") {
    this.#context = context;
    // Where nobody knows what the messages hold, what was given before counts as gone.
    const activated = ledger.activated.map((each) => ({ ...each, inContext: each.inContext && context === "kept" }));
    this.#ledger = { ...ledger, activated };
  }

  get ledger(): Ledger {
    return this.#ledger;
  }

  /** Every skill that was activated, once. */
  names(): readonly string[] {
    return [...new Set(this.#ledger.activated.map(({ name }) => name))];
  }

  answers(): readonly LedgerAnswer[] {
    return this.#ledger.answers;
  }

  addAnswer(answer: LedgerAnswer): void {
    this.#ledger = { ...this.#ledger, answers: keepLatest(this.#ledger.answers, answer) };
  }

  addDecision(decision: LedgerDecision): void {
    this.#ledger = { ...this.#ledger, decisions: keepLatest(this.#ledger.decisions, decision) };
  }

  read({ name, path }: Skill, file: string): void {
    const entry = { name, path, file, at: new Date().toISOString() };
    this.#ledger = { ...this.#ledger, read: keepLatest(this.#ledger.read, entry) };
  }

  /** The skills that led to one; throws where they go in a circle, or on for too long. */
  chainTo(skill: Skill, parent: Skill): readonly string[] {
    const before = this.#ledger.activated.findLast(({ path }) => path === parent.path);
    if (before === undefined) {
      throw new SkillError("invalid-input", `"${parent.name}" is not active, so that it cannot load "${skill.name}".`);
    }
    const chain = [...(before.from ?? []), parent.path];
    const names = [...chain, skill.path].map((path) => this.#nameOf(path) ?? skill.name).join(" → ");
    if (chain.includes(skill.path)) {
      throw new SkillError("invalid-input", `Skills that load each other in a circle: ${names}. Go on without it.`);
    }
    if (chain.length < deepest) return chain;
    throw new SkillError(
      "invalid-input",
      `Skills load each other more than ${deepest} deep: ${names}. Go on without it.`,
    );
  }

  #nameOf(path: string): string | undefined {
    return this.#ledger.activated.find((each) => each.path === path)?.name;
  }

  /** Writes an activation down, unless the same one is still in context. */
  activate(
    { skill, hash }: Activation,
    asked: { readonly given?: string | undefined; readonly section?: string | undefined },
    from: readonly string[],
  ): { readonly reference: string; readonly repeat: boolean } {
    const { name, path, mtimeMs } = skill;
    const given = boundText(asked.given);
    const section = boundText(asked.section);
    const { activated } = this.#ledger;
    const isSame = (each: LedgerActivation) =>
      each.path === path &&
      each.hash === hash &&
      each.mtimeMs === mtimeMs &&
      (each.arguments ?? "") === given &&
      (each.section ?? "") === section;
    const same = activated.findLast(isSame);
    if (same?.inContext === true) return { reference: same.reference, repeat: true };
    // The oldest may be gone from the ledger, so that its length says nothing.
    const count = Number(/\d+$/.exec(activated.at(-1)?.reference ?? "")?.[0] ?? 0) + 1;
    const reference = `skill-${hash.slice(0, 8)}-${count}`;
    const entry: LedgerActivation = {
      reference,
      name,
      path,
      hash,
      mtimeMs,
      ...(given !== "" && { arguments: given }),
      ...(section !== "" && { section }),
      ...(from.length > 0 && { from }),
      at: new Date().toISOString(),
      inContext: false,
    };
    this.#ledger = { ...this.#ledger, activated: keepLatest(activated, entry) };
    return { reference, repeat: false };
  }

  /** Remembers how to find what the model got. */
  async keep(reference: string, text: string): Promise<void> {
    const given = await describeGiven(text);
    const inContext = this.#context === "kept";
    this.#change((each) => (each.reference === reference ? { ...each, given, inContext } : each));
  }

  /** Looks which texts the messages still hold, and which skills are still the same. */
  async observe(messages: unknown, skills: SkillFiles): Promise<Observation> {
    this.#context = "kept";
    const held = await findGiven(
      messages,
      this.#ledger.activated.flatMap(({ given }) => given ?? []),
    );
    this.#change((each) => ({ ...each, inContext: each.given !== undefined && held.has(each.given) }));
    const latest = new Map(this.#ledger.activated.map((each) => [each.path, each]));
    const changed: string[] = [];
    const removed: string[] = [];
    const byPath = new Map(skills.catalog.skills.map((skill) => [skill.path, skill]));
    for (const { path, name, hash } of latest.values()) {
      const skill = byPath.get(path);
      const now = skill === undefined ? undefined : await skills.hash(skill).catch(() => undefined);
      if (now === undefined) removed.push(name);
      else if (now !== hash) changed.push(name);
    }
    const inContext = this.#ledger.activated.flatMap((each) => (each.inContext ? each.name : []));
    return { inContext: [...new Set(inContext)], changed, removed };
  }

  #change(change: (activation: LedgerActivation) => LedgerActivation): void {
    this.#ledger = { ...this.#ledger, activated: this.#ledger.activated.map(change) };
  }
}

// A ledger is small: of a long text, how it begins, how long it is and a sum that tells it from others.
const longestText = 2000;

function boundText(text = ""): string {
  if (text.length <= longestText) return text;
  return `${text.slice(0, longestText)}… (${text.length} characters, ${checksum(text)})`;
}

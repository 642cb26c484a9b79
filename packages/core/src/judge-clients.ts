import { type Client, type ClientFact, clients } from "./clients.ts";
import { SkillError } from "./error.ts";
import { readFrontmatter } from "./frontmatter.ts";
import { closestNames } from "./lookup.ts";
import type { SkillFolder } from "./skill-folder.ts";
import type { Verdict } from "./validate.ts";
import type { Frontmatter } from "./value.ts";
import { parseYaml } from "./yaml.ts";

/** What one client makes of a skill. */
export interface ClientVerdict {
  readonly client: string;
  readonly version: string;
  /** The day on which its rules were looked at. */
  readonly checked: string;
  readonly loads: boolean;
  /** Why it does not. */
  readonly reasons: readonly string[];
  /** Keys that have no effect there. */
  readonly ignores: readonly string[];
}

/** The clients of these names; throws for one that nobody has looked at. */
export function findClients(names: readonly string[]): readonly Client[] {
  return names.map((name) => {
    const client = clients.find(({ id }) => id === name);
    if (client !== undefined) return client;
    const known = clients.map(({ id }) => id);
    const [near] = closestNames(known, name, 1);
    const hint = near === undefined ? "" : ` Did you mean "${near}"?`;
    throw new SkillError(
      "invalid-input",
      `Nothing is known of the client "${name}". Known: ${known.join(", ")}.${hint}`,
    );
  });
}

/** Says for each client whether it would show the skill; `depth` is how far below its root the folder lies. */
export function judgeForClients(
  asked: readonly Client[],
  { diagnostics }: Verdict,
  skill: SkillFolder | undefined,
  depth = 1,
): readonly ClientVerdict[] {
  const values = skill === undefined ? {} : valuesOf(skill);
  const facts = new Set<ClientFact>([
    ...diagnostics.flatMap(({ severity, code }) => (severity === "error" ? [code] : [])),
    ...(skill === undefined ? [] : ownFacts(skill, values)),
  ]);
  return asked.map((client) => {
    const { id, version, checked, drops, reads } = client;
    const found: readonly ClientFact[] = [
      ...facts,
      ...(depth > (client.depth ?? depth) ? (["too-deep"] as const) : []),
    ];
    const reasons = [...new Set(found.flatMap((fact) => drops[fact] ?? []))];
    const ignores = Object.keys(values).filter((key) => reads !== "all" && !reads.includes(key));
    return { client: id, version, checked, loads: reasons.length === 0, reasons, ignores };
  });
}

function valuesOf({ bytes }: SkillFolder): Frontmatter {
  const head = readFrontmatter(bytes, bytes.length, true);
  return head.status === "closed" ? (parseYaml(head.text).values ?? {}) : {};
}

// What only some readers mind: the specification's own takes every scalar for text, and blanks after a fence for nothing.
const typed = String.raw`(?:true|false|null|~|[-+]?\d[\d.]*(?:e[-+]?\d+)?)[ \t]*(?:#.*)?\r?$`;
const typedName = new RegExp(`^name[ \\t]*:[ \\t]*${typed}`, "im");
const typedItem = new RegExp(`^[ \\t]+[^:\\n]+:[ \\t]*${typed}`, "im");

function ownFacts({ bytes }: SkillFolder, { description, metadata }: Frontmatter): readonly ClientFact[] {
  const start = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(0, 64 * 1024));
  const facts: ClientFact[] = [];
  if (start.startsWith("\ufeff")) facts.push("byte-order-mark");
  if (/^\ufeff?[ \t]*\r?\n/.test(start)) facts.push("leading-blanks");
  if (/^\ufeff?---[ \t]+\r?\n/.test(start)) facts.push("opening-blanks");
  if (typedName.test(start)) facts.push("name-typed");
  const [block = ""] = /^metadata:[ \t]*\r?\n(?:[ \t]+.*\r?\n?)*/m.exec(start) ?? [];
  if (metadata !== undefined && typedItem.test(block)) facts.push("metadata-typed");
  if (description !== undefined && typeof description !== "string") facts.push("description-list");
  return facts;
}

import { type Client, type ClientFact, clients } from "./clients.ts";
import { SkillError } from "./error.ts";
import { readText } from "./fields.ts";
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
  /** What it shows otherwise than it is written: shortened, hidden from some, under another name. */
  readonly changes: readonly string[];
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
  const size = skill?.bytes.length ?? 0;
  return asked.map((client) => {
    const { id, version, checked, drops, changes = {}, reads } = client;
    const found = new Set(facts);
    if (depth > (client.depth ?? depth)) found.add("too-deep");
    if (size > (client.bytes ?? size)) found.add("too-large");
    const reasons = tell(found, drops);
    const ignores = Object.keys(values).filter((key) => reads !== "all" && !reads.includes(key));
    const shown = reasons.length > 0 ? [] : [...tell(found, changes), ...alter(client, values)];
    return { client: id, version, checked, loads: reasons.length === 0, reasons, changes: shown, ignores };
  });
}

function tell(facts: ReadonlySet<ClientFact>, meanings: Client["drops"]): readonly string[] {
  return [...new Set([...facts].flatMap((fact) => meanings[fact] ?? []))];
}

/** What a client does to a skill because of its values. */
function alter({ shortens, hides = [] }: Client, values: Frontmatter): readonly string[] {
  const effects = hides.flatMap(({ key, value, effect }) => (value.test(readText(values[key] ?? "")) ? [effect] : []));
  const shown = [values.description, values.when_to_use].filter((value) => typeof value === "string").join(" - ");
  const length = shown.trim().length;
  if (shortens !== undefined && length > shortens) {
    effects.push(`it shows ${shortens} of the description's ${length} characters`);
  }
  return effects;
}

function valuesOf({ bytes }: SkillFolder): Frontmatter {
  const head = readFrontmatter(bytes, bytes.length, true);
  return head.status === "closed" ? (parseYaml(head.text).values ?? {}) : {};
}

// What only some readers mind: the specification's own takes every scalar for text, and blanks after a fence for nothing.
const noText = String.raw`(?:true|false|null|~|[-+]?\d[\d.]*(?:e[-+]?\d+)?)?[ \t]*(?:#.*)?\r?$(?!\n[ \t])`;
const typedName = new RegExp(`^name[ \\t]*:[ \\t]*${noText}`, "im");
const typedDescription = new RegExp(`^description[ \\t]*:[ \\t]*${noText}`, "im");
const typedItem = new RegExp(`^[ \\t]+[^:\\n]+:[ \\t]*${noText}`, "im");
const typedFlag = /^(?:disable-model-invocation|user-invocable)[ \t]*:(?![ \t]*(?:true|false)[ \t]*(?:#.*)?\r?$)/m;
const openingBytes = 64 * 1024;

function ownFacts({ bytes }: SkillFolder, { name, description, metadata }: Frontmatter): readonly ClientFact[] {
  const start = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(0, openingBytes));
  const head = readFrontmatter(bytes, Math.min(bytes.length, openingBytes), bytes.length <= openingBytes);
  const text = head.status === "closed" ? head.text : "";
  const [block = ""] = /^metadata:[ \t]*\r?\n(?:[ \t]+.*\r?\n?)*/m.exec(text) ?? [];
  const facts: Readonly<Partial<Record<ClientFact, boolean>>> = {
    "byte-order-mark": start.startsWith("\ufeff"),
    "leading-blanks": /^\ufeff?[ \t]*\r?\n/.test(start),
    "opening-blanks": /^\ufeff?---[ \t]+\r?\n/.test(start),
    "name-typed": typedName.test(text),
    "name-signs": typeof name === "string" && /[^\w .:-]|^-/.test(name),
    "description-typed": typedDescription.test(text),
    "description-list": description !== undefined && typeof description !== "string",
    "metadata-typed": metadata !== undefined && typedItem.test(block),
    "flag-typed": typedFlag.test(text),
    "dashes-inside": text.split("\n").some((line) => line.slice(0, Math.max(0, line.indexOf("---"))).trim() !== ""),
  };
  return (Object.keys(facts) as ClientFact[]).filter((fact) => facts[fact]);
}

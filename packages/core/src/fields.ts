import { type FieldValue, type Frontmatter, isList, isMap } from "./value.ts";

/** The fields that the specification and the vendors know, in one shape, whatever way they were written. */
export interface SkillFields {
  readonly license?: string;
  readonly compatibility?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly allowedTools?: readonly string[];
  readonly whenToUse?: string;
  readonly argumentHint?: string;
  readonly arguments?: readonly string[];
  readonly paths?: readonly string[];
  readonly model?: string;
  readonly context?: string;
  readonly agent?: string;
  readonly effort?: string;
  readonly hooks?: FieldValue;
  readonly version?: string;
  readonly tags?: readonly string[];
  readonly triggers?: Triggers;
  readonly toolsets?: readonly string[];
  readonly disableModelInvocation?: boolean;
  readonly userInvocable?: boolean;
  /** From Codex's `agents/openai.yaml`. */
  readonly openai?: OpenaiFields;
}

export interface Triggers {
  readonly keywords: readonly string[];
  readonly verbs: readonly string[];
  readonly patterns: readonly string[];
}

export interface OpenaiFields {
  readonly displayName?: string;
  readonly shortDescription?: string;
  readonly defaultPrompt?: string;
  readonly iconSmall?: string;
  readonly iconLarge?: string;
  readonly brandColor?: string;
  readonly allowImplicitInvocation?: boolean;
  readonly dependencies?: FieldValue;
}

type Reader = (value: FieldValue) => FieldValue | boolean | Triggers | undefined;

const readers: ReadonlyMap<string, readonly [keyof SkillFields, Reader]> = new Map(
  Object.entries({
    license: ["license", readText],
    compatibility: ["compatibility", readText],
    metadata: ["metadata", readMetadata],
    "allowed-tools": ["allowedTools", readTools],
    "when-to-use": ["whenToUse", readText],
    "argument-hint": ["argumentHint", readHint],
    arguments: ["arguments", readArguments],
    paths: ["paths", readList],
    model: ["model", readText],
    context: ["context", readText],
    agent: ["agent", readText],
    effort: ["effort", readText],
    hooks: ["hooks", (value) => value],
    version: ["version", readText],
    tags: ["tags", readList],
    triggers: ["triggers", readTriggers],
    toolsets: ["toolsets", readList],
    "disable-model-invocation": ["disableModelInvocation", readFlag],
    "user-invocable": ["userInvocable", readFlag],
  }),
);

/** One reader for all fields. What Codex's own file says about invocation counts where the frontmatter is silent. */
export function readFields(frontmatter: Frontmatter, openai?: OpenaiFields): SkillFields {
  const fields: Record<string, unknown> = {};
  for (const key of Object.keys(frontmatter)) {
    const reader = readerOf(key);
    if (reader !== undefined) fields[reader[0]] ??= reader[1](frontmatter[key] ?? "");
  }
  if (openai === undefined) return fields;
  if (openai.allowImplicitInvocation === false) fields.disableModelInvocation ??= true;
  return { ...fields, openai };
}

/** The keys that mean nothing to the reader. */
export function unknownKeys(frontmatter: Frontmatter): readonly string[] {
  return Object.keys(frontmatter).filter(
    (key) => key !== "name" && key !== "description" && readerOf(key) === undefined,
  );
}

function readerOf(key: string): readonly [keyof SkillFields, Reader] | undefined {
  return readers.get(key) ?? readers.get(canonicalKey(key));
}

// Keys without a reader that are written often enough to be told from prose.
const usualKeys = new Set([
  "name",
  "description",
  "author",
  "homepage",
  "category",
  "color",
  "tools",
  "title",
  "type",
  "globs",
]);

/** Whether a key is one that people write in a frontmatter, in this very spelling. */
export function isKnownKey(key: string): boolean {
  return usualKeys.has(key) || readers.has(key) || key === "when_to_use";
}

/** `when_to_use`, `When-To-Use` and `when-to-use` are one key. */
export function canonicalKey(key: string): string {
  return key.toLowerCase().replaceAll("_", "-");
}

/** Codex's own file beside a skill. */
export function readOpenaiFields(values: Frontmatter): OpenaiFields {
  const face = asMap(values.interface);
  const fields = {
    displayName: optionalText(face.display_name),
    shortDescription: optionalText(face.short_description),
    defaultPrompt: optionalText(face.default_prompt),
    iconSmall: optionalText(face.icon_small),
    iconLarge: optionalText(face.icon_large),
    brandColor: optionalText(face.brand_color),
    allowImplicitInvocation: readFlag(asMap(values.policy).allow_implicit_invocation ?? ""),
    dependencies: values.dependencies,
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** A value as one text: lists joined, mappings as JSON. */
export function readText(value: FieldValue): string {
  if (typeof value === "string") return value.trim();
  if (isList(value)) return value.every((item) => typeof item === "string") ? value.join(", ") : JSON.stringify(value);
  // `{placeholder}` is a mapping to YAML, and text to people.
  const [key = "", ...more] = Object.keys(value);
  return more.length === 0 && value[key] === "" ? `{${key}}` : JSON.stringify(value);
}

function readList(value: FieldValue): readonly string[] {
  if (isList(value)) return value.map(readText);
  return splitOutsideBrackets(readText(value), /([,\n])/);
}

/** `Read, Bash(git add:*)`, `Read Bash(git:*)` and a YAML list are the same request. */
function readTools(value: FieldValue): readonly string[] {
  if (isList(value)) return value.map(readText);
  return splitOutsideBrackets(readText(value), /([,\s]+)/);
}

function readArguments(value: FieldValue): readonly string[] {
  if (!isList(value)) return splitOutsideBrackets(readText(value), /([,\s]+)/);
  return value.map((item) => (isMap(item) && typeof item.name === "string" ? item.name : readText(item)));
}

/** `argument-hint: [file] [lines]` looks like a YAML list; the brackets belong to the hint. */
function readHint(value: FieldValue): string {
  return isList(value) ? `[${value.map(readText).join(", ")}]` : readText(value);
}

function readFlag(value: FieldValue): boolean | undefined {
  const text = readText(value).toLowerCase();
  if (["true", "yes", "on", "1"].includes(text)) return true;
  if (["false", "no", "off", "0"].includes(text)) return false;
  return undefined;
}

function readMetadata(value: FieldValue): Readonly<Record<string, string>> {
  if (!isMap(value)) return { value: readText(value) };
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, metadataText(item)]));
}

function metadataText(value: FieldValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function readTriggers(value: FieldValue): Triggers {
  if (!isMap(value)) return { keywords: readList(value), verbs: [], patterns: [] };
  return {
    keywords: readList(value.keywords ?? []),
    verbs: readList(value.verbs ?? []),
    patterns: isList(value.patterns ?? "")
      ? readList(value.patterns ?? [])
      : [readText(value.patterns ?? "")].filter(Boolean),
  };
}

/** Cuts at every gap that does not stand between brackets; `gap` captures itself, so that such a one is kept. */
function splitOutsideBrackets(text: string, gap: RegExp): readonly string[] {
  const items: string[] = [];
  let item = "";
  let depth = 0;
  text.split(gap).forEach((part, index) => {
    const isGap = index % 2 === 1;
    if (!isGap || depth > 0) item += part;
    depth = Math.max(0, depth + count(part, opening) - count(part, closing));
    if (!isGap || depth > 0) return;
    items.push(item.trim());
    item = "";
  });
  return [...items, item.trim()].filter((each) => each !== "");
}

const opening = /[({[]/g;
const closing = /[)}\]]/g;

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

function optionalText(value: FieldValue | undefined): string | undefined {
  return value === undefined || value === "" ? undefined : readText(value);
}

function asMap(value: FieldValue | undefined): Frontmatter {
  return value !== undefined && isMap(value) ? value : {};
}

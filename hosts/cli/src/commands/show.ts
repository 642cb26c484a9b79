import { describeFields, type Entry, measureSkill, SkillError, type SkillRef, type Skills } from "@skillholm/core";
import { type Engine, reasonOf } from "@skillholm/engine";
import type { Context } from "../context.ts";
import { toReference } from "../reference.ts";
import { clip, plain, plural, tildify } from "../terminal.ts";

/** One skill in whatever state: what it says, what it costs, where it stands. */
export async function runShow(context: Context, reference: string): Promise<number> {
  const skills = await context.skills();
  const shown = await describe(
    context.engine,
    skills,
    skills.lookup(toReference(skills, reference, context.engine.cwd)),
  );
  if (context.json) await context.terminal.printJson(shown);
  else printSkill(context, shown);
  return 0;
}

type Shown = Awaited<ReturnType<typeof describe>>;

async function describe(engine: Engine, skills: Skills, entry: Entry) {
  const { skill } = entry;
  const facts = entry.state === "listed" ? entry.skill : entry;
  const ref: SkillRef = skill ?? facts;
  const catalogTokens = skill === undefined ? 0 : await engine.entryTokens(skill);
  const cost = await orNull(measureSkill(skills, ref, catalogTokens));
  const { catalog } = skills;
  return {
    name: facts.name,
    description: skill?.description ?? "",
    scope: facts.scope,
    path: facts.path,
    dir: facts.dir,
    realPath: ref.realPath,
    state: entry.state,
    ...(entry.state === "listed" ? {} : { reason: reasonOf(entry) }),
    ...(entry.state !== "listed" && entry.winner !== undefined ? { winner: entry.winner } : {}),
    enabled: entry.state !== "disabled",
    shadows: catalog.hidden.filter((each) => each.winner === facts.path).map((each) => each.path),
    root: { path: ref.root.path, scope: ref.root.scope, trusted: ref.root.trusted, writable: ref.root.writable },
    hash: await orNull(skills.hash(ref)),
    digest: await orNull(skills.digest(ref)),
    modified: skill === undefined ? null : new Date(skill.mtimeMs).toISOString(),
    tokens: cost && { catalog: cost.catalog, instructions: cost.instructions ?? null, resources: cost.resources },
    files: cost?.files ?? [],
    filesTruncated: cost?.filesTruncated ?? false,
    fields: skill === undefined ? [] : describeFields(skill.frontmatter),
    openai: skill?.fields.openai ?? null,
    diagnostics: catalog.diagnostics.filter((each) => each.path === facts.path),
  };
}

// A skill that cannot be read is still shown; its reason and diagnostics say why.
async function orNull<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof SkillError) return null;
    throw error;
  }
}

function printSkill({ terminal, engine }: Context, shown: Shown): void {
  const line = (label: string, text: string) => terminal.print(`${terminal.style("dim", label.padEnd(13))} ${text}`);
  terminal.print(`${terminal.style("bold", plain(shown.name))}  ${terminal.style("dim", shown.scope)}`);
  if (shown.description !== "") terminal.print(plain(shown.description));
  terminal.print("");
  line("state", shown.reason === undefined ? shown.state : `${shown.state}: ${plain(shown.reason)}`);
  line("path", tildify(shown.path, engine.home));
  if (shown.realPath !== shown.path) line("really at", tildify(shown.realPath, engine.home));
  for (const loser of shown.shadows) line("shadows", tildify(loser, engine.home));
  if (shown.tokens !== null && shown.state !== "invalid") {
    const { catalog, instructions, resources } = shown.tokens;
    const number = (value: number | null) => value?.toLocaleString("en") ?? "an unknown number";
    line(
      "tokens",
      `${number(catalog)} in every chat, ${number(instructions)} when used, ${number(resources)} in files`,
    );
  }
  if (shown.hash !== null) line("sha256", shown.hash);
  printFields({ terminal }, shown);
  printFiles({ terminal }, shown);
  for (const each of shown.diagnostics) {
    const place = each.line === undefined ? "" : ` line ${each.line}:${each.column ?? 1}`;
    const color = each.severity === "error" ? "red" : "yellow";
    terminal.print(`${terminal.style(color, each.severity)}${place} ${plain(each.message)} (${each.code})`);
  }
}

function printFields({ terminal }: Pick<Context, "terminal">, shown: Shown): void {
  if (shown.fields.length === 0) return;
  terminal.print(`\n${terminal.style("bold", "Fields")}`);
  for (const { key, value, effect, note } of shown.fields) {
    const mark = effect ? terminal.style("green", "✓") : terminal.style("dim", "·");
    const remark = terminal.style("dim", `(${effect ? "has an effect" : "no effect"}: ${note})`);
    terminal.print(`  ${mark} ${plain(key)}: ${clip(plain(value), 60)} ${remark}`);
  }
}

function printFiles({ terminal }: Pick<Context, "terminal">, shown: Shown): void {
  if (shown.files.length === 0) return;
  terminal.print(
    `\n${terminal.style("bold", plural(shown.files.length, "file"))}${shown.filesTruncated ? " (cut)" : ""}`,
  );
  for (const { path, bytes, tokens } of shown.files) {
    const cost = tokens === undefined ? "" : `, ${plural(tokens, "token")}`;
    terminal.print(`  ${plain(path)}  ${terminal.style("dim", `${plural(bytes, "byte")}${cost}`)}`);
  }
  terminal.print("");
}

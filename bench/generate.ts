import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Writes `count` skills that look like real ones: the mix of keys, styles and faults that public skills have. */
export function generateSkills(folder: string, count: number): void {
  const random = seededRandom(count);
  for (let index = 0; index < count; index++) {
    const name = `${pick(verbs, random)}-${pick(nouns, random)}-${index}`;
    const dir = join(folder, name);
    mkdirSync(dir, { recursive: true });
    writeFileSync(join(dir, "SKILL.md"), skillText(name, random));
    if (random() < 0.5) writeFiles(join(dir, "references"), ["guide.md", "examples.md"]);
    if (random() < 0.3) writeFiles(join(dir, "scripts"), ["run.py"]);
  }
}

/** The same numbers on every machine (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4294967296;
  };
}

function skillText(name: string, random: () => number): string {
  const keys = [`name: ${random() < 0.17 ? `the-${name}` : name}`, `description: ${description(random)}`];
  if (random() < 0.3) keys.push("license: MIT");
  if (random() < 0.3)
    keys.push(random() < 0.93 ? "allowed-tools: Read, Write, Bash(git:*)" : "allowed-tools: Read Bash(git:*)");
  if (random() < 0.25) keys.push("version: 1.10");
  if (random() < 0.2) keys.push("homepage: https://example.com/skills");
  if (random() < 0.2) keys.push("author: Somebody");
  if (random() < 0.15) keys.push("tags: [data, files, reports]");
  if (random() < 0.1) keys.push("user-invocable: true");
  if (random() < 0.1) keys.push("triggers:\n  - make a report\n  - clean up the data");
  if (random() < 0.2) keys.push('metadata:\n  author: Somebody\n  version: "1.0"');
  if (random() < 0.11) keys.push('metadata-extra: {"tool":{"emoji":"*","requires":{"bins":["git"]}}}');
  const text = `---\n${keys.join("\n")}\n---\n\n# ${name}\n\n${`${sentence(random)}\n\n`.repeat(20 + Math.floor(random() * 60))}`;
  return random() < 0.03 ? text.replaceAll("\n", "\r\n") : text;
}

function description(random: () => number): string {
  const text = `${sentence(random)} ${sentence(random)} Use when the user asks for it.`;
  const style = random();
  if (style < 0.07) return `|\n  ${sentence(random)}\n  ${text}`;
  if (style < 0.14) return `>-\n  ${sentence(random)}\n  ${text}`;
  if (style < 0.21) return `${sentence(random)}\n  ${text}`;
  if (style < 0.28) return `"${sentence(random)}\n  ${text}"`;
  if (style < 0.5) return `"${text}"`;
  if (style < 0.51) return `Use when: ${text}`;
  return text;
}

function sentence(random: () => number): string {
  const words = Array.from({ length: 8 + Math.floor(random() * 8) }, () =>
    pick(random() < 0.5 ? verbs : nouns, random),
  );
  return `${words.join(" ")}.`;
}

function writeFiles(dir: string, names: readonly string[]): void {
  mkdirSync(dir);
  for (const name of names) writeFileSync(join(dir, name), `# ${name}\n\nDetails for those who need them.\n`);
}

function pick(list: readonly string[], random: () => number): string {
  return list[Math.floor(random() * list.length)] ?? "";
}

const verbs =
  "analyse build check clean convert create draft explain extract find format merge plan review summarise test translate write".split(
    " ",
  );
const nouns =
  "archive chart contract database document email form image invoice letter log meeting module note page report schedule spreadsheet table ticket".split(
    " ",
  );

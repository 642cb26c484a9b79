import { maskSpans } from "./code-spans.ts";
import { proseLines } from "./prose.ts";

/** A file that a Markdown text points to. */
export interface Reference {
  /** Relative to the skill's folder, with `/`. */
  readonly path: string;
  /** 1-based, in the text. */
  readonly line: number;
}

/** The files that a Markdown text in `folder` (relative to the skill) points to by links and by paths in backticks. */
export function findReferences(markdown: string, folder = ""): readonly Reference[] {
  const found: Reference[] = [];
  for (const { text, line } of proseLines(markdown)) {
    for (const target of [...linksOf(text), ...namedFilesOf(text)]) {
      const path = resolvePath(folder, target);
      if (path !== undefined) found.push({ path, line });
    }
  }
  return found;
}

function linksOf(line: string): readonly string[] {
  return [...maskSpans(line).text.matchAll(/\]\(<?([^()<>\s]+)>?(?:\s+"[^"]*")?\)/g)].map((match) => match[1] ?? "");
}

// Only what is clearly meant as a file of the skill; a pattern or a placeholder is none, and of a link its target counts.
function namedFilesOf(line: string): readonly string[] {
  return [...line.matchAll(/`((?:\.\/)?(?:references|scripts|assets)\/[\w./-]+\.\w+)`(?!\]\()/g)].map(
    (match) => match[1] ?? "",
  );
}

/** A link as a path inside the skill; undefined where it leads elsewhere or to a part of the same page. */
function resolvePath(folder: string, target: string): string | undefined {
  const [bare = ""] = target.split(/[?#]/);
  if (bare === "" || /^[a-z][a-z0-9+.-]*:|^\/|^\\/i.test(bare) || /[{}*$<>]/.test(bare)) return undefined;
  const parts: string[] = [];
  const isNamed = /^(?:\.\/)?(?:references|scripts|assets)\//.test(bare);
  const base = isNamed || folder === "" ? [] : folder.split("/");
  for (const part of [...base, ...decode(bare).split("/")]) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join("/") || undefined;
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

import { cutBytes, cutText } from "./body.ts";
import { skillFile } from "./discover.ts";
import { SkillError } from "./error.ts";
import type { LoadedSkills } from "./load.ts";
import type { FileStart, SkillRef } from "./source.ts";

/** What becomes of a file that is no text. */
export type BinaryPolicy = "refuse" | "metadata" | "base64";

/** Lines of a text, counted from 1, both included. */
export interface LineRange {
  readonly from: number;
  readonly to: number;
}

export interface ResourceRequest {
  readonly lines?: LineRange | undefined;
  readonly binary?: BinaryPolicy;
}

/** A file of a skill, as a model reads it. */
export interface Resource {
  /** Relative to the skill's folder, with `/`. */
  readonly path: string;
  readonly content: string;
  readonly encoding: "utf-8" | "base64";
  /** Of the whole file. */
  readonly bytes: number;
  /** A limit cut it, or it is described only. */
  readonly truncated: boolean;
  /** Bytes that a limit left out. */
  readonly removed?: number;
  /** The kind of a file that is no text. */
  readonly type?: string;
}

/** One file of a skill; refuses what lies outside it, and by policy what is no text. */
export async function readResource(
  skills: Pick<LoadedSkills, "limits" | "policy" | "read" | "readStart">,
  skill: SkillRef,
  path: string,
  { lines, binary = "refuse" }: ResourceRequest = {},
): Promise<Resource> {
  const file = resourcePath(path);
  const { resourceBytes, fileBytes } = skills.limits;
  const cut = skills.policy.largeFiles === "cut" && lines === undefined;
  // One byte more, to see whether the cut goes through a character.
  const { bytes: start, size } = cut
    ? await skills.readStart(skill, file, Math.min(resourceBytes + 1, fileBytes))
    : whole(await skills.read(skill, file));
  const bytes = cut ? cutBytes(start, resourceBytes) : start;
  const text = decode(bytes);
  if (text === undefined) return describeBinary(file, { bytes: start, size }, fits(binary, size, resourceBytes), lines);
  const asked = lines === undefined ? text : cutLines(text, lines, file);
  const { text: content, removed } = cutText(asked, resourceBytes);
  const missing = size - bytes.length + removed;
  const facts = { path: file, content, encoding: "utf-8", bytes: size } as const;
  return missing === 0 ? { ...facts, truncated: false } : { ...facts, truncated: true, removed: missing };
}

function whole(bytes: Uint8Array): FileStart {
  return { bytes, size: bytes.length };
}

/** `10-40`, `10-` or `10`. */
export function parseLines(text: string): LineRange {
  const [, first = "", dash = "", last = ""] = /^\s*(\d{1,9})\s*(?:(-)\s*(\d{0,9}))?\s*$/.exec(text) ?? [];
  const from = Number(first);
  const to = dash === "" ? from : last === "" ? Number.POSITIVE_INFINITY : Number(last);
  if (first !== "" && from >= 1 && to >= from) return { from, to };
  throw new SkillError("invalid-input", `"${text}" are no lines. Give a range from 1 on, as 10-40.`);
}

/** The path with `/` and without detours; refused where it could mean a place outside, on any system. */
export function resourcePath(path: string): string {
  if (path.trim() === "") throw new SkillError("invalid-input", "An empty path names no file.");
  const isOutside =
    path.includes("\0") ||
    /^[\\/~]|^[A-Za-z]:|\\/.test(path) ||
    /%(?:2e|2f|5c|00)/i.test(path) ||
    path.split("/").includes("..");
  if (isOutside) {
    const message = `"${printable(path)}" is no path inside the skill. Give one relative to its folder, as references/guide.md.`;
    throw new SkillError("path-outside-skill", message);
  }
  const file = path
    .split("/")
    .filter((part) => part !== "" && part !== ".")
    .join("/");
  if (file === "") throw new SkillError("resource-not-found", `"${path}" is the skill's folder, not a file in it.`);
  return file;
}

/** `SKILL.md`, by whatever detour. */
export function isSkillFile(path: string): boolean {
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  return parts.join("/").toLowerCase() === skillFile.toLowerCase();
}

function printable(path: string): string {
  return path.slice(0, 200).replace(/\p{Cc}/gu, "?");
}

/** Undefined for what is no text. */
function decode(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function cutLines(text: string, { from, to }: LineRange, file: string): string {
  const lines = text.split("\n");
  // What ends with a line break has no line after it.
  const count = lines.at(-1) === "" ? lines.length - 1 : lines.length;
  if (from > count) {
    throw new SkillError("resource-not-found", `"${file}" has ${count} lines; there is no line ${from}.`);
  }
  return lines.slice(from - 1, Math.min(to, count)).join("\n");
}

/** What is too large to be shown whole is described. */
function fits(policy: BinaryPolicy, size: number, limit: number): BinaryPolicy {
  return policy === "base64" && size > limit ? "metadata" : policy;
}

function describeBinary(
  path: string,
  { bytes: content, size }: FileStart,
  policy: BinaryPolicy,
  lines: LineRange | undefined,
): Resource {
  const type = typeOf(path);
  const facts = { path, bytes: size, type };
  if (policy === "metadata") {
    const text = `[${path} is no text: ${type}, ${size} bytes]`;
    return { ...facts, content: text, encoding: "utf-8", truncated: true };
  }
  if (policy === "base64" && lines === undefined) {
    return { ...facts, content: toBase64(content), encoding: "base64", truncated: false };
  }
  const why = lines === undefined ? "and files like it are not read" : "and has no lines";
  throw new SkillError("resource-binary", `"${path}" is no text (${type}), ${why}.`, facts);
}

const types: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  svg: "image/svg+xml",
  pdf: "application/pdf",
  zip: "application/zip",
  woff2: "font/woff2",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  pptx: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
};

function typeOf(path: string): string {
  return types[path.slice(path.lastIndexOf(".") + 1).toLowerCase()] ?? "application/octet-stream";
}

/** Without `Buffer`, in pieces: a function takes only so many arguments. */
export function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text);
}

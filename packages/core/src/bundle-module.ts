import { compareText } from "./diagnostic.ts";
import { toBase64 } from "./resources.ts";

export type BundleLanguage = "javascript" | "typescript";

// The first line of every bundle, by which it is known again: it stays as it is.
const mark = "// Skills in one module, written by `skillholm bundle`. Do not edit it: write it anew.";

const root = '{ path: "/skills", scope: "system", trusted: true, writable: false, links: "inside" }';

/** Files by path → the text of a module without imports. The same files always give the same text. */
export function renderBundle(files: ReadonlyMap<string, Uint8Array>, language: BundleLanguage): string {
  const paths = [...files.keys()].sort(compareText);
  const values = paths.map((path) => renderContent(files.get(path) ?? new Uint8Array()));
  const entries = paths.map((path, at) => `  ${quote(path)}: ${values[at]},\n`).join("");
  const typed = language === "typescript";
  const type = typed ? ": Readonly<Record<string, string | Uint8Array>>" : "";
  // In JavaScript too, so that "system" is a scope to whoever imports it with types.
  const roots = typed ? `[${root}] as const` : `/** @type {const} */ ([${root}])`;
  // A compiler may refuse a function that nobody calls.
  const decoder = values.some((value) => value.startsWith("bytes(")) ? renderDecoder(typed) : "";
  return `${mark}\n\nexport const files${type} = {\n${entries}};\n\nexport const roots = ${roots};\n${decoder}`;
}

// `atob` is in browsers, in Node and on every edge runtime.
function renderDecoder(typed: boolean): string {
  return `
function bytes(base64${typed ? ": string" : ""})${typed ? ": Uint8Array" : ""} {
  const text = atob(base64);
  const content = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) content[at] = text.charCodeAt(at);
  return content;
}
`;
}

/** Text as text, so that a change of it can be reviewed; everything else as bytes. */
function renderContent(bytes: Uint8Array): string {
  const text = bytes.includes(0) ? undefined : decode(bytes);
  return text === undefined ? `bytes("${toBase64(bytes)}")` : quote(text);
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

// What ends a script or begins a comment in HTML, what ended a line in older JavaScript, and what nobody can see.
const escaped = /<(?=[!/]|script)|[\p{Cc}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]/giu;

function quote(text: string): string {
  return JSON.stringify(text).replace(escaped, (char) =>
    Array.from({ length: char.length }, (_, at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, "0")}`).join(""),
  );
}

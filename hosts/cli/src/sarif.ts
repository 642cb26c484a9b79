import { dirname, join, relative, sep } from "node:path";
import { pathToFileURL } from "node:url";
import type { Diagnostic, Verdict } from "@skillholm/core";

const levels = { error: "error", warning: "warning", info: "note" } as const;

/** Verdicts in the format that code hosts show beside the lines of a change. */
export function toSarif(verdicts: readonly Verdict[], version: string, cwd: string): object {
  const diagnostics = verdicts.flatMap((verdict) => verdict.diagnostics);
  const rules = [...new Set(diagnostics.map(({ code }) => code))].sort().map((id) => ({ id }));
  const driver = { name: "skillholm", version, rules };
  const results = diagnostics.map((each) => toResult(each, cwd));
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [{ tool: { driver }, results }],
  };
}

function toResult({ code, severity, path: skill, file, line, column, message }: Diagnostic, cwd: string): object {
  const path = file === undefined ? skill : join(dirname(skill), file);
  const inside = relative(cwd, path);
  // Relative where it can be, so that it means the same file on another machine.
  const uri = inside.startsWith("..") ? pathToFileURL(path).href : encodeURI(inside.split(sep).join("/"));
  const region = line === undefined ? {} : { region: { startLine: line, startColumn: column ?? 1 } };
  const physicalLocation = { artifactLocation: { uri }, ...region };
  return { ruleId: code, level: levels[severity], message: { text: message }, locations: [{ physicalLocation }] };
}

import { parseGrant } from "@skillholm/core/dialect";

/** What a profile for macOS is made of. */
export interface SeatbeltLayout {
  readonly skill: string;
  readonly input: string;
  readonly output: string;
  readonly node: string;
  readonly workspace: "scratch" | "copy";
  readonly grants: readonly string[];
}

/**
 * The profile that `sandbox-exec` takes. Nobody has tested it: there was no such machine. It is refused unless a person says
 * `skills.sandbox = "untested"`.
 */
export function seatbeltProfile({ skill, input, output, node, workspace, grants }: SeatbeltLayout): string {
  const opened = grants.map(parseGrant);
  const reads = [skill, input, output, ...opened.flatMap((each) => ("path" in each ? each.path : []))];
  const writes = [
    output,
    ...(workspace === "copy" ? [skill] : []),
    ...opened.flatMap((each) => (each.kind === "write" ? each.path : [])),
  ];
  return [
    "(version 1)",
    "(deny default)",
    '(import "system.sb")',
    "(allow process-fork)",
    "(allow signal (target same-sandbox))",
    "(allow sysctl-read)",
    `(allow process-exec file-read* ${systemPlaces.map(subpath).join(" ")} (literal ${quote(node)}))`,
    "(allow file-read-metadata)",
    `(allow process-exec file-read* ${reads.map(subpath).join(" ")})`,
    `(allow file-write* ${writes.map(subpath).join(" ")} (literal "/dev/null"))`,
    ...(opened.some(({ kind }) => kind === "network") ? ["(allow network*)", "(allow system-socket)"] : []),
  ].join("\n");
}

const systemPlaces = ["/usr", "/bin", "/sbin", "/System", "/Library/Frameworks", "/opt/homebrew", "/private/etc/ssl"];

function subpath(path: string): string {
  return `(subpath ${quote(path)})`;
}

function quote(path: string): string {
  return `"${path.replace(/[\\"]/g, "\\$&")}"`;
}

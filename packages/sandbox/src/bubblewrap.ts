import { existsSync, lstatSync, readlinkSync, realpathSync } from "node:fs";
import { release } from "node:os";
import { dirname } from "node:path";
import { type Interpreter, SkillError } from "@skillholm/core";
import { type Grant, parseGrant } from "@skillholm/core/dialect";
import type { RunLimits } from "./limits.ts";
import type { Owner, RunFolder } from "./run-folder.ts";

/** Where a script finds what it is given, inside. */
export const inside = {
  input: "/run/skill/input",
  output: "/run/skill/output",
  bin: "/run/skill/bin",
  node: "/run/skill/bin/node",
} as const;

/** Nobody, as whom a script runs where we are root. */
export const nobody: Owner = { uid: 65_534, gid: 65_534 };

export interface Layout {
  readonly bwrap: string;
  readonly folder: Pick<RunFolder, "skill" | "input" | "output">;
  /** The skill's own path. */
  readonly dir: string;
  readonly workspace: "scratch" | "copy";
  readonly node: string;
  readonly grants: readonly string[];
  readonly limits: RunLimits;
  /** Set where we are root and the script must not be. */
  readonly owner?: Owner | undefined;
}

/**
 * The whole command line. As root there are two layers: the outer one, which may look everywhere, lays the files out; then
 * root is given up; the inner one, which is nobody's, makes the namespaces. So a script of root's is as powerless as any.
 */
export function bubblewrapArgs(layout: Layout, command: readonly string[]): readonly string[] {
  const { owner, bwrap } = layout;
  const run = [...limitArgs(layout.limits), "--", ...command];
  if (owner === undefined) return [...mountArgs(layout, ["--proc", "/proc"]), ...confineArgs(layout), "--", ...run];
  const give = ["--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"];
  const become = ["setpriv", `--reuid=${owner.uid}`, `--regid=${owner.gid}`, "--clear-groups", "--"];
  // The inner one needs a whole /proc to make its own, and puts that in its place.
  const outer = [...mountArgs(layout, ["--bind", "/proc", "/proc"]), ...give, "--", ...become, bwrap];
  return [...outer, "--dev-bind", "/", "/", "--proc", "/proc", ...confineArgs(layout), "--", ...run];
}

function mountArgs(layout: Layout, proc: readonly string[]): readonly string[] {
  const { folder, dir, workspace, node, limits } = layout;
  const grants = layout.grants.map(parseGrant);
  const network = grants.some(({ kind }) => kind === "network");
  const tmp = ["--perms", "1777", "--size", String(limits.tmpBytes), "--tmpfs"];
  return [
    ...systemArgs(network),
    ...proc,
    "--dev",
    "/dev",
    ...[...tmp, "/dev/shm", ...tmp, "/tmp"],
    ...mount("--ro-bind", node, inside.node),
    ...mount("--ro-bind", folder.input, inside.input),
    ...mount("--bind", folder.output, inside.output),
    ...grants.flatMap(folderArgs),
    ...mount(workspace === "copy" ? "--bind" : "--ro-bind", folder.skill, dir),
    // Last, since what is laid out above needs places to be mounted on.
    ...["--remount-ro", "/dev", "--remount-ro", "/", "--chdir", dir],
  ];
}

/** With the folders above it, which would be closed to others than their maker. */
function mount(how: "--bind" | "--ro-bind", from: string, to: string): readonly string[] {
  const parts = to.split("/").slice(1, -1);
  const above = parts.map((_, index) => `/${parts.slice(0, index + 1).join("/")}`);
  return [...above.flatMap((path) => ["--perms", "0755", "--dir", path]), how, from, to];
}

const besideUsr = ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];
const always = ["ld.so.cache", "ld.so.conf", "ld.so.conf.d", "alternatives", "localtime", "nsswitch.conf", "perl"];
const forNetwork = ["resolv.conf", "hosts", "ssl", "ca-certificates", "pki", "services", "protocols", "gai.conf"];

/** Programs and libraries, read-only; of the settings only what programs need to start. */
function systemArgs(network: boolean): readonly string[] {
  const links = besideUsr.filter((path) => existsSync(path)).flatMap(linkArgs);
  const settings = [...always, ...(network ? forNetwork : [])].map((name) => `/etc/${name}`);
  const store = existsSync("/nix/store") ? ["--ro-bind", "/nix/store", "/nix/store"] : [];
  const etc = ["--perms", "0755", "--dir", "/etc", ...settings.flatMap((path) => ["--ro-bind-try", path, path])];
  return ["--ro-bind", "/usr", "/usr", ...links, ...store, ...etc];
}

function linkArgs(path: string): readonly string[] {
  return lstatSync(path).isSymbolicLink() ? ["--symlink", readlinkSync(path), path] : ["--ro-bind", path, path];
}

function folderArgs(grant: Grant): readonly string[] {
  if (grant.kind !== "read" && grant.kind !== "write") return [];
  if (!existsSync(grant.path))
    throw new SkillError("invalid-input", `There is no ${grant.path} that could be granted.`);
  return mount(grant.kind === "write" ? "--bind" : "--ro-bind", realpathSync(grant.path), grant.path);
}

function confineArgs({ grants }: Layout): readonly string[] {
  const own = ["user", "ipc", "pid", "uts", "cgroup-try"].map((name) => `--unshare-${name}`);
  return [
    ...own,
    ...(grants.includes("network") ? [] : ["--unshare-net"]),
    ...["--uid", "1000", "--gid", "1000", "--hostname", "skill", "--cap-drop", "ALL"],
    ...["--new-session", "--die-with-parent", "--json-status-fd", "3", "--seccomp", "4"],
  ];
}

// Node sets half a gigabyte aside for code that it never writes.
const aside = 1024 * 1024 * 1024;

/** Of data and not of addresses, of which Node takes far more still. What is really used is watched from outside. */
function limitArgs({ memoryBytes, processes, fileBytes, openFiles }: RunLimits): readonly string[] {
  const nproc = countsInside() ? { nproc: processes } : {};
  const limits = { data: memoryBytes + aside, ...nproc, fsize: fileBytes, nofile: openFiles, core: 0 };
  return ["prlimit", ...Object.entries(limits).map(([name, value]) => `--${name}=${value}`)];
}

/** Older kernels count all processes of the user, and a script would have none; then only the look from outside counts. */
function countsInside(): boolean {
  const [major = 0, minor = 0] = release().split(".").map(Number);
  return major > 5 || (major === 5 && minor >= 14);
}

/** Where a program is inside: ours has a place of its own, the others are where they are. */
export function insidePath({ name, path }: Interpreter): string {
  return name === "node" ? inside.node : path;
}

/** Whether a skill's own path is one that can be mounted. */
export function isMountable(dir: string): boolean {
  const first = dir.split("/")[1] ?? "";
  const isTaken = ["proc", "sys", "dev", "run", "etc", "bin", "sbin", "lib", "lib64"].includes(first);
  return dir.startsWith("/") && dirname(dir) !== dir && !isTaken;
}

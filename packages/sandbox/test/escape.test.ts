import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { layTree } from "../../../test/support/tree.ts";
import { createScriptRunner } from "../src/index.ts";
import { hashOf, mebibyte, requestFor, runInside } from "./run.ts";

// Each script prints ESCAPED where it got what it should not get. Outside it does, so that the test can fail.
const mark = "ESCAPED";

/** The same script as any program would start it. */
function runOutside(script: string, text: string, env: Record<string, string> = {}) {
  const folder = layTree({ [script]: text });
  const program = script.endsWith(".js") ? process.execPath : "/bin/sh";
  const output = join(folder, "output");
  mkdirSync(output);
  const { stdout, stderr } = spawnSync(program, [join(folder, script)], {
    encoding: "utf8",
    env: { ...process.env, SKILL_OUTPUT: output, ...env },
    timeout: 20_000,
  });
  return { stdout, stderr };
}

async function tryBoth(script: string, text: string) {
  const outside = runOutside(script, text);
  const inside = await runInside({ [script]: text }, script);
  return { outside: outside.stdout, inside: inside.stdout, outcome: inside };
}

const read = (path: string) => `if [ -n "$(head -c 20 '${path}')" ]; then echo ${mark}; fi`;

describe("a script in the sandbox cannot read", () => {
  it("the machine's users and passwords", async () => {
    const users = await tryBoth("scripts/a.sh", read("/etc/passwd"));
    expect([users.outside, users.inside]).toEqual([`${mark}\n`, ""]);
    const shadow = await tryBoth("scripts/a.sh", read("/etc/shadow"));
    const ownRight = process.getuid?.() === 0 ? `${mark}\n` : "";
    expect([shadow.outside, shadow.inside]).toEqual([ownRight, ""]);
  });

  it("the home folder, another skill, or anything else of the person's", async () => {
    const folder = layTree({ "home/.ssh/id": "a key", "home/.agents/skills/other/SKILL.md": "secret" });
    for (const path of ["home/.ssh/id", "home/.agents/skills/other/SKILL.md"]) {
      const text = read(join(folder, path));
      const dir = join(folder, "home/.agents/skills/trial");
      const { stdout } = await runInside({ "scripts/a.sh": text }, "scripts/a.sh", { dir });
      expect([runOutside("scripts/a.sh", text).stdout, stdout]).toEqual([`${mark}\n`, ""]);
    }
  });

  it("its parent's environment, or any other process's", async () => {
    process.env.SKILLHOLM_TEST_SECRET = "hunter2";
    onTestFinished(() => void delete process.env.SKILLHOLM_TEST_SECRET);
    const text = `if cat /proc/*/environ 2>/dev/null | grep -aq hunter2 || env | grep -q hunter2; then echo ${mark}; fi`;
    const { outside, inside } = await tryBoth("scripts/a.sh", text);
    expect([outside, inside]).toEqual([`${mark}\n`, ""]);
  });

  it("a file that our own parent left open", () => {
    const folder = layTree({ secret: "hunter2" });
    const script = `cat /proc/self/fd/9 2>/dev/null | grep -q hunter2 && echo ${mark}; echo over`;
    const code = `
      const { runInside } = await import(${JSON.stringify(new URL("./run.ts", import.meta.url).href)});
      const { stdout } = await runInside({ "scripts/a.sh": ${JSON.stringify(script)} }, "scripts/a.sh");
      console.log(stdout);`;
    const inherit = (program: string, args: readonly string[]) =>
      execFileSync("/bin/sh", ["-c", `exec "$@" 9< '${folder}/secret'`, "sh", program, ...args], { encoding: "utf8" });
    expect(inherit("/bin/sh", ["-c", script])).toBe(`${mark}\nover\n`);
    expect(inherit(process.execPath, ["--input-type=module", "-e", code])).toBe("over\n\n");
  });
});

describe("a script in the sandbox cannot write", () => {
  it("to the machine, its temporary files, or its own skill", async () => {
    const folder = layTree({ "skill/SKILL.md": "" });
    const text = (path: string) => `echo x > '${path}' && echo ${mark}`;
    const file = join(folder, "written");
    expect(runOutside("scripts/a.sh", text(file)).stdout).toBe(`${mark}\n`);
    const own = join(folder, "skill");
    const inside = await runInside({ "scripts/a.sh": text(`${own}/new`) }, "scripts/a.sh", { dir: own });
    expect([inside.stdout, inside.stderr]).toEqual(["", expect.stringContaining("Read-only file system")]);
    for (const path of ["/usr/x", "/etc/x", "/dev/x", "/x", "/run/skill/bin/node", "/run/skill/input/x"]) {
      const { stdout } = await runInside({ "scripts/a.sh": text(path) }, "scripts/a.sh");
      expect([path, stdout]).toEqual([path, ""]);
    }
    // Its own /tmp is another one.
    rmSync(file);
    await runInside({ "scripts/a.sh": `mkdir -p '${folder}'; ${text(file)}` }, "scripts/a.sh");
    expect(readdirSync(folder)).toEqual(["skill"]);
  });
});

describe("a script in the sandbox cannot reach", () => {
  it("a server on this machine, by loopback, its address or a socket's name", async () => {
    const name = `\0skillholm-${process.pid}-${Date.now()}`;
    const tcp = createServer((socket) => socket.end(mark)).listen(0, "0.0.0.0");
    const unix = createServer((socket) => socket.end(mark)).listen(name);
    onTestFinished(() => void [tcp.close(), unix.close()]);
    await new Promise((resolve) => tcp.once("listening", resolve));
    const { port } = tcp.address() as { port: number };
    const own = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
    const beyond = own.filter(({ family, internal }) => family === "IPv4" && !internal).map(({ address }) => address);
    const targets = [{ path: name }, ...["127.0.0.1", ...beyond].map((host) => ({ host, port }))];
    for (const target of targets) {
      const text = `const socket = require("node:net").connect(${JSON.stringify(target)});
        socket.on("data", (data) => console.log(String(data))).on("error", (error) => console.log(error.code));`;
      const outside = await runAside("scripts/a.js", text);
      const { stdout } = await runInside({ "scripts/a.js": text }, "scripts/a.js");
      expect([outside, stdout]).toEqual([`${mark}\n`, expect.stringMatching(/^(ECONNREFUSED|ENETUNREACH)\n$/)]);
    }
  });

  it("new namespaces, mounts, or privileges", async () => {
    const text = `unshare --user --map-root-user --mount mount -t tmpfs none /mnt && echo ${mark}`;
    const { outside, outcome } = await tryBoth("scripts/a.sh", text);
    expect([outside, outcome.stdout]).toEqual([`${mark}\n`, ""]);
    expect(outcome.stderr).toContain("Operation not permitted");
    const status = "grep -E '^(CapEff|CapBnd|NoNewPrivs|Seccomp):' /proc/self/status | tr -d '\\t'";
    const { stdout } = await runInside({ "scripts/a.sh": status }, "scripts/a.sh");
    expect(stdout.split("\n")).toEqual(
      ["CapBnd:0000000000000000", "CapEff:0000000000000000", "NoNewPrivs:1", "Seccomp:2", ""].toSorted(
        (a, b) => order.indexOf(a.slice(0, 4)) - order.indexOf(b.slice(0, 4)),
      ),
    );
    const spaces =
      "readlink /proc/self/ns/user /proc/self/ns/pid /proc/self/ns/mnt /proc/self/ns/net /proc/self/ns/ipc";
    const both = await tryBoth("scripts/a.sh", spaces);
    const mine = both.outside.split("\n").filter(Boolean);
    expect(mine).toHaveLength(5);
    expect(both.inside.split("\n").filter((line) => mine.includes(line))).toEqual([]);
  });
});

const order = ["CapE", "CapB", "NoNe", "Secc", ""];

/** Like `runOutside`, while our own servers answer. */
async function runAside(script: string, text: string): Promise<string> {
  const { execFile } = await import("node:child_process");
  const folder = layTree({ [script]: text });
  return new Promise((resolve) => {
    execFile(process.execPath, [join(folder, script)], (_, stdout) => resolve(stdout));
  });
}

describe("a script in the sandbox cannot exhaust", () => {
  it("processes", async () => {
    const text = `i=0; while [ $i -lt 200 ]; do sleep 2 & i=$((i+1)); done; echo ${mark}; kill $(jobs -p)`;
    const { outside, inside } = await tryBoth("scripts/a.sh", text);
    expect([outside, inside]).toEqual([`${mark}\n`, ""]);
    const bomb = await runInside({ "scripts/a.sh": "b() { b | b & }; b; sleep 60" }, "scripts/a.sh", {
      timeoutMs: 2000,
    });
    expect(bomb).toMatchObject({ exitCode: null, signal: "SIGKILL" });
    expect(countProcesses("scripts/a.sh")).toBe(0);
  });

  it("memory, alone, in many processes, or by files that lie in it", async () => {
    const take = (bytes: number) => `Buffer.alloc(${bytes}, 1); setTimeout(() => console.log("${mark}"), 1500)`;
    const alone = `globalThis.kept = ${take(600 * mebibyte)}`;
    expect(runOutside("scripts/a.js", alone).stdout).toBe(`${mark}\n`);
    expect((await runInside({ "scripts/a.js": alone }, "scripts/a.js")).stdout).toBe("");
    const one = `node -e 'globalThis.kept = ${take(100 * mebibyte)}' &`;
    const many = `${one}\n${one}\n${one}\n${one}\nwait`;
    expect(runOutside("scripts/a.sh", many).stdout).toBe(`${mark}\n`.repeat(4));
    expect(await runInside({ "scripts/a.sh": many }, "scripts/a.sh")).toMatchObject({ stdout: "", ended: "memory" });
    for (const place of ["/tmp", "/dev/shm"]) {
      const text = `for i in 1 2 3 4 5 6 7 8 9 10; do head -c 2000000 /dev/zero > ${place}/skillholm-$i || exit; done; echo ${mark}`;
      const { outside, inside } = await tryBoth("scripts/a.sh", `trap 'rm -f ${place}/skillholm-*' EXIT; ${text}`);
      expect([outside, inside]).toEqual([`${mark}\n`, ""]);
    }
  });

  it("the disk, by one file or by many", async () => {
    const one = `head -c 30000000 /dev/zero > "$SKILL_OUTPUT/big" && echo ${mark}`;
    expect(await tryBoth("scripts/a.sh", one)).toMatchObject({ outside: `${mark}\n`, inside: "" });
    const many = `i=0; while [ $i -lt 40 ]; do head -c 1000000 /dev/zero > "$SKILL_OUTPUT/$i"; i=$((i+1)); done; sleep 1; echo ${mark}`;
    const { outside, outcome } = await tryBoth("scripts/a.sh", many);
    expect([outside, outcome.stdout, outcome.ended]).toEqual([`${mark}\n`, "", "files"]);
  });

  it("our patience: a flood of output ends it", async () => {
    const { stdout, truncated, ended } = await runInside(
      { "scripts/a.sh": "while :; do echo ééééé; done" },
      "scripts/a.sh",
    );
    expect({ truncated, ended }).toEqual({ truncated: true, ended: "output" });
    expect(Buffer.byteLength(stdout)).toBeLessThanOrEqual(mebibyte);
    expect(Buffer.byteLength(stdout)).toBeGreaterThan(mebibyte - 4);
    expect(stdout).not.toContain("\ufffd");
  });
});

describe("a script in the sandbox leaves", () => {
  it("no process, not even one in a session of its own whose parents are gone", async () => {
    // It goes on once the grandchild is there.
    const text = (seconds: string) => `(setsid sh -c 'sleep ${seconds} >/dev/null 2>&1 &' &)
      until cat /proc/[0-9]*/cmdline 2>/dev/null | grep -aq 'sleep.${seconds.replace(".", "[.]")}'; do sleep 0.05; done; echo over`;
    expect(runOutside("scripts/a.sh", text("71.25")).stdout).toBe("over\n");
    expect(endProcesses("sleep 71.25")).toBe(1);
    const inside = await runInside({ "scripts/a.sh": text("72.25") }, "scripts/a.sh");
    expect([inside.stdout, endProcesses("sleep 72.25")]).toEqual(["over\n", 0]);
    const slow = `${text("73.25")}; sleep 60`;
    const late = await runInside({ "scripts/a.sh": slow }, "scripts/a.sh", { timeoutMs: 800 });
    expect([late.timedOut, endProcesses("sleep 73.25")]).toEqual([true, 0]);
    const stop = AbortSignal.timeout(500);
    const ended = await runInside({ "scripts/a.sh": slow.replace("73", "74") }, "scripts/a.sh", { signal: stop });
    expect([ended.ended, endProcesses("sleep 74.25")]).toEqual(["abort", 0]);
  });

  it("no folder, also where it closed its own", async () => {
    await runInside(
      { "scripts/a.sh": 'mkdir -p "$SKILL_OUTPUT/a/b"; chmod 000 "$SKILL_OUTPUT/a/b" "$SKILL_OUTPUT/a"' },
      "scripts/a.sh",
    );
    const deep = `cd "$SKILL_OUTPUT"; name=$(printf 'd%.0s' $(seq 200)); i=0
      while [ $i -lt 60 ]; do mkdir $name && cd -P $name || break; i=$((i+1)); done; echo x > left; chmod 000 .; echo $i`;
    const outcome = await runInside({ "scripts/a.bash": deep }, "scripts/a.bash");
    expect(outcome.truncated || outcome.ended === "files").toBe(true);
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith(`skillholm-run-${process.pid}-`))).toEqual([]);
  });
});

describe("what is approved is what runs", () => {
  it("when a link is put in a file's place between the check and the run", async () => {
    const folder = layTree({ "skill/scripts/a.sh": "echo approved", "evil.sh": `echo ${mark}` });
    const file = join(folder, "skill/scripts/a.sh");
    const request = {
      ...requestFor({ "scripts/a.sh": "echo approved" }, "scripts/a.sh"),
      read: async () => readFileSync(file),
    };
    rmSync(file);
    symlinkSync(join(folder, "evil.sh"), file);
    expect(execFileSync("/bin/sh", [file], { encoding: "utf8" })).toBe(`${mark}\n`);
    const { code, message } = await createScriptRunner()
      .run(request)
      .catch((error) => error);
    expect({ code, message }).toEqual({ code: "script-not-allowed", message: expect.stringContaining("has changed") });
  });

  it("when a helper is changed while the script runs", async () => {
    const folder = layTree({ "scripts/b.sh": "echo approved" });
    const text = "sleep 0.6; . ./scripts/b.sh";
    const files = { "scripts/a.sh": text, "scripts/b.sh": "echo approved" };
    setTimeout(() => writeFileSync(join(folder, "scripts/b.sh"), `echo ${mark}`), 200);
    const request = requestFor(files, "scripts/a.sh");
    const read = async (file: string) =>
      file === "scripts/a.sh" ? request.read(file) : readFileSync(join(folder, file));
    const { stdout } = await createScriptRunner().run({ ...request, read, dir: folder });
    expect(stdout).toBe("approved\n");
    expect(hashOf(readFileSync(join(folder, "scripts/b.sh")))).not.toBe(request.hashes["scripts/b.sh"]);
    expect(execFileSync("/bin/sh", ["-c", text], { cwd: folder, encoding: "utf8" })).toBe(`${mark}\n`);
  });

  it("without what the environment would load into it", async () => {
    const folder = layTree({ "evil.cjs": `console.log("${mark}")` });
    const [options, preload] = [process.env.NODE_OPTIONS, process.env.LD_PRELOAD];
    onTestFinished(() => {
      for (const [name, value] of Object.entries({ NODE_OPTIONS: options, LD_PRELOAD: preload })) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
    });
    process.env.NODE_OPTIONS = `--require ${folder}/evil.cjs`;
    process.env.LD_PRELOAD = `${folder}/evil.so`;
    const { outside, inside, outcome } = await tryBoth("scripts/a.js", "console.log(process.env.LD_PRELOAD)");
    expect([outside, inside]).toEqual([`${mark}\n${folder}/evil.so\n`, "undefined\n"]);
    expect(outcome.stderr).toBe("");
    expect(runOutside("scripts/a.sh", "true").stderr).toContain("evil.so");
  });

  it("when a pipe never answers: it is no file of a skill, and waiting has an end", async () => {
    const text = `mkfifo "$SKILL_OUTPUT/pipe"; if [ -n "$ANSWER" ]; then (echo ${mark} > "$SKILL_OUTPUT/pipe" &); fi; cat "$SKILL_OUTPUT/pipe"`;
    expect(runOutside("scripts/a.sh", text, { ANSWER: "1" }).stdout).toBe(`${mark}\n`);
    const { timedOut, files } = await runInside({ "scripts/a.sh": text }, "scripts/a.sh", { timeoutMs: 700 });
    expect({ timedOut, files }).toEqual({ timedOut: true, files: [] });
  });
});

function pidsOf(command: string): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && commandOf(name).includes(command))
    .map(Number);
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return "";
  }
}

function countProcesses(command: string): number {
  return pidsOf(`/home/somebody/.agents/skills/trial/${command}`).length;
}

/** Ends those that a test itself left, and says how many there were. */
function endProcesses(command: string): number {
  const pids = pidsOf(command).filter((pid) => pid !== process.pid);
  for (const pid of pids) process.kill(pid, "SIGKILL");
  return pids.length;
}

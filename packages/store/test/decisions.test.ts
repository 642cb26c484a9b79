import { execFile } from "node:child_process";
import { appendFileSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { layTree } from "../../../test/support/tree.ts";
import { createDecisionLog, type Decision } from "../src/index.ts";

function decision(path: string, change: Partial<Decision> = {}): Decision {
  return {
    at: "2026-01-02T03:04:05.678Z",
    profile: "standard",
    tool: "read_skill_resource",
    skill: "pdf",
    path,
    decision: "allowed",
    by: "default",
    ...change,
  };
}

function fresh() {
  const folder = layTree({});
  return { folder, file: join(folder, "decisions.jsonl"), log: createDecisionLog(folder) };
}

const paths = (decisions: readonly Decision[]) => decisions.map(({ path }) => path);

describe("the log of decisions", () => {
  it("has nothing at first, and takes nothing in without a file", async () => {
    const { folder, log } = fresh();
    expect(log.recent(10)).toEqual([]);
    expect(await log.add([])).toBeUndefined();
    expect(readdirSync(folder)).toEqual([]);
  });

  it("keeps one object a line, for the user's eyes only", async () => {
    const { file, log } = fresh();
    const denied = decision("b", { decision: "denied", by: "rule", place: "skillholm.toml:3" });
    expect(await log.add([decision("a"), denied])).toBeUndefined();
    await log.add([decision("c\nd")]);
    const lines = readFileSync(file, "utf8").split("\n");
    expect(lines.slice(0, -1).map((line) => JSON.parse(line))).toEqual([decision("a"), denied, decision("c\nd")]);
    expect(lines.at(-1)).toBe("");
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it("gives the newest last, and not more than asked for", async () => {
    const { folder, log } = fresh();
    await log.add(["a", "b", "c"].map((path) => decision(path)));
    const asked = [0, -1, 1, 2, 9].map((count) => paths(createDecisionLog(folder).recent(count)).join(""));
    expect(asked).toEqual(["", "", "c", "bc", "abc"]);
  });

  it("skips lines that are no decision, and half a line takes no other with it", async () => {
    const { file, log } = fresh();
    await log.add([decision("a")]);
    appendFileSync(file, 'null\n[]\n{"at":1}\n\n');
    appendFileSync(
      file,
      `${JSON.stringify({ ...decision("x"), by: "magic" })}\n${JSON.stringify(decision("half")).slice(0, 40)}`,
    );
    await log.add([decision("b")]);
    expect(paths(log.recent(10))).toEqual(["a", "b"]);
  });

  it("cuts what is too long for a log", async () => {
    const { file, log } = fresh();
    await log.add([decision("x".repeat(100_000))]);
    expect(log.recent(1)[0]?.path).toBe(`${"x".repeat(1000)}…`);
    expect(statSync(file).size).toBeLessThan(2000);
  });

  it("begins anew before it is over 1 MiB, and still knows what was before", async () => {
    const { folder, file, log } = fresh();
    const batch = (name: string) => Array.from({ length: 400 }, (_, at) => decision(`${name}${at}-${"x".repeat(900)}`));
    for (const name of ["a", "b", "c"]) await log.add(batch(name));
    expect(readdirSync(folder).sort()).toEqual(["decisions.1.jsonl", "decisions.jsonl"]);
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).size).toBeLessThanOrEqual(1024 * 1024);
    expect(log.recent(9999)).toHaveLength(1200);
    expect(log.recent(401)[0]?.path).toMatch(/^b399-/);
    for (const name of ["d", "e"]) await log.add(batch(name));
    expect(
      log
        .recent(9999)
        .map(({ path }) => path?.[0])
        .join(""),
    ).toMatch(/^c{400}d{400}e{400}$/);
    expect(statSync(file).size).toBeGreaterThan(0);
  });

  it("goes on in the long file while another process holds the lock", async () => {
    const { folder, file, log } = fresh();
    writeFileSync(file, `${"x".repeat(1024 * 1024)}\n`);
    writeFileSync(`${file}.lock`, "");
    expect(await log.add([decision("a")])).toBeUndefined();
    expect(readdirSync(folder).sort()).toEqual(["decisions.jsonl", "decisions.jsonl.lock"]);
    expect(paths(log.recent(5))).toEqual(["a"]);
  });

  it("mixes no lines of several processes, and loses none when all want to begin anew", async () => {
    const { folder, log } = fresh();
    const code = `
      import { createDecisionLog } from ${JSON.stringify(new URL("../src/decisions.ts", import.meta.url).href)};
      const [folder, who, sample] = process.argv.slice(1);
      const log = createDecisionLog(folder);
      for (let at = 0; at < 400; at++) await log.add([{ ...JSON.parse(sample), path: who + at + "-" + "x".repeat(900) }]);
    `;
    const sample = JSON.stringify(decision(""));
    const run = (who: string) =>
      promisify(execFile)(process.execPath, ["--input-type=module", "-e", code, folder, who, sample]);
    await Promise.all(["a", "b", "c", "d"].map(run));
    // Between one MiB and two: it began anew once, and the file before it was not replaced a second time.
    expect(new Set(paths(log.recent(9999))).size).toBe(1600);
    expect(readdirSync(folder).sort()).toEqual(["decisions.1.jsonl", "decisions.jsonl"]);
  });

  it("fails nothing when it cannot write, and says why", async () => {
    const full = fresh();
    symlinkSync("/dev/full", full.file);
    expect(await full.log.add([decision("a")])).toMatch(/decisions\.jsonl cannot be written \(ENOSPC/);
    const taken = fresh();
    mkdirSync(taken.file);
    expect(await taken.log.add([decision("a")])).toMatch(/cannot be written \(EISDIR/);
    const nowhere = createDecisionLog(join(layTree({ file: "" }), "file/below"));
    expect(await nowhere.add([decision("a")])).toMatch(/cannot be written/);
  });

  it("says so when it cannot be read", () => {
    const { file, log } = fresh();
    mkdirSync(file);
    expect(() => log.recent(1)).toThrow(`${file} cannot be read (`);
  });
});

import { execFile } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { stateFolder } from "../src/folders.ts";
import { createStateFile, type StateFile } from "../src/state-file.ts";

const base = mkdtempSync(join(tmpdir(), "skillholm-store-"));
afterAll(() => rmSync(base, { recursive: true, force: true }));
afterEach(() => {
  vi.useRealTimers();
});

const run = promisify(execFile);
let count = 0;

/** A file of words in a folder that is not there yet. */
function createWords(path = join(base, `${++count}`, "words.json")): StateFile<readonly string[]> {
  return createStateFile(path, [] as readonly string[], checkWords);
}

function checkWords(value: unknown): readonly string[] {
  if (!Array.isArray(value) || value.some((each) => typeof each !== "string")) throw new Error("not a list of words");
  return value;
}

function prepare(words: StateFile<readonly string[]>, files: Readonly<Record<string, string>>): void {
  const folder = dirname(words.path);
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
}

function filesBeside(words: StateFile<readonly string[]>): string[] {
  return readdirSync(dirname(words.path)).sort();
}

describe("a state file", () => {
  it("is empty before the first update, and reading makes no file", () => {
    const words = createWords();
    expect(words.read()).toEqual([]);
    expect(existsSync(dirname(words.path))).toBe(false);
  });

  it("is JSON that people can read, and nothing else stays beside it", async () => {
    const words = createWords();
    expect(await words.update((before) => [...before, "one"])).toEqual(["one"]);
    await words.update((before) => [...before, "two"]);
    expect(readFileSync(words.path, "utf8")).toBe('[\n  "one",\n  "two"\n]\n');
    expect(createWords(words.path).read()).toEqual(["one", "two"]);
    expect(filesBeside(words)).toEqual(["words.json"]);
  });

  it("is for the user's eyes only, also when it was not before", async () => {
    const words = createWords();
    await words.update(() => ["one"]);
    expect(statSync(words.path).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(words.path)).mode & 0o777).toBe(0o700);
    chmodSync(words.path, 0o644);
    await words.update(() => ["two"]);
    expect(statSync(words.path).mode & 0o777).toBe(0o600);
  });

  it("is replaced, never written into, so that a reader sees the old text or the new", async () => {
    const words = createWords();
    await words.update(() => ["old"]);
    const before = statSync(words.path).ino;
    await words.update(() => ["new"]);
    expect(statSync(words.path).ino).not.toBe(before);
  });

  it("keeps its value and its lock free when a change fails", async () => {
    const words = createWords();
    await words.update(() => ["one"]);
    const failing = words.update(() => {
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(filesBeside(words)).toEqual(["words.json"]);
    expect(await words.update((before) => [...before, "two"])).toEqual(["one", "two"]);
  });
});

describe("a damaged state file", () => {
  it.each([
    ["half of it is missing", '["one"'],
    ["it is empty", ""],
    ["it holds something else", '{"words": []}'],
  ])("is named in the error and not overwritten when %s", async (_, text) => {
    const words = createWords();
    prepare(words, { "words.json": text });
    const message = new RegExp(`^${words.path} cannot be read \\(.+\\)\\. Mend it, or delete it to start anew\\.$`);
    expect(() => words.read()).toThrow(message);
    await expect(words.update(() => ["new"])).rejects.toThrow(message);
    expect(readFileSync(words.path, "utf8")).toBe(text);
    expect(filesBeside(words)).toEqual(["words.json"]);
  });
});

describe("the lock of a state file", () => {
  it("lets several processes change it at once without a loss, and readers always see it whole", async () => {
    const words = createWords();
    const code = `
      import { createStateFile } from ${JSON.stringify(new URL("../src/state-file.ts", import.meta.url).href)};
      const [path, who] = process.argv.slice(1);
      const words = createStateFile(path, [], (value) => value);
      for (let at = 0; at < 20; at++) await words.update((before) => [...before, who + at]);
    `;
    const writers = ["a", "b", "c", "d"];
    const work = Promise.all(
      writers.map((who) => run(process.execPath, ["--input-type=module", "-e", code, words.path, who])),
    );
    let working = true;
    const done = work.finally(() => {
      working = false;
    });
    for (let last = 0; working; await wait(1)) {
      const now = words.read().length;
      expect(now).toBeGreaterThanOrEqual(last);
      last = now;
    }
    await done;
    const expected = writers.flatMap((who) => Array.from({ length: 20 }, (_, at) => `${who}${at}`));
    expect([...words.read()].sort()).toEqual(expected.sort());
    expect(filesBeside(words)).toEqual(["words.json"]);
  });

  it("loses no change of the same process either", async () => {
    const words = createWords();
    await Promise.all(["a", "b", "c"].map((word) => words.update((before) => [...before, word])));
    expect([...words.read()].sort()).toEqual(["a", "b", "c"]);
  });

  it("is taken over when the process that held it died long ago", async () => {
    const words = createWords();
    prepare(words, { "words.json.lock": "" });
    const longAgo = new Date(Date.now() - 60_000);
    utimesSync(`${words.path}.lock`, longAgo, longAgo);
    expect(await words.update(() => ["one"])).toEqual(["one"]);
    expect(filesBeside(words)).toEqual(["words.json"]);
  });

  it("is waited for while another process holds it", async () => {
    const words = createWords();
    prepare(words, { "words.json": '["theirs"]', "words.json.lock": "" });
    const update = words.update((before) => [...before, "ours"]);
    setTimeout(() => {
      writeFileSync(words.path, '["theirs", "theirs too"]');
      rmSync(`${words.path}.lock`);
    }, 60);
    expect(await update).toEqual(["theirs", "theirs too", "ours"]);
  });

  it("is not broken when it stays held: the update gives up and says so", async () => {
    const words = createWords();
    prepare(words, { "words.json.lock": "" });
    vi.useFakeTimers({ toFake: ["Date"] });
    const update = words.update(() => ["ours"]);
    vi.setSystemTime(Date.now() + 6000);
    await expect(update).rejects.toThrow(`${words.path}.lock is held by another process; delete it if none runs.`);
    expect(filesBeside(words)).toEqual(["words.json.lock"]);
  });
});

describe("the state folder", () => {
  it.each([
    ["lies in XDG_STATE_HOME", { XDG_STATE_HOME: "/elsewhere/state" }, "/elsewhere/state/skillholm"],
    ["lies in ~/.local/state without it", {}, "/home/me/.local/state/skillholm"],
    ["lies in ~/.local/state when it is empty", { XDG_STATE_HOME: "" }, "/home/me/.local/state/skillholm"],
  ])("%s", (_, env, expected) => {
    expect(stateFolder(env, "/home/me")).toBe(expected);
  });
});

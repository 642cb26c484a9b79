import { execFile } from "node:child_process";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { layTree } from "../../../test/support/tree.ts";
import { type Answer, createAnswerStore } from "../src/index.ts";

const allowPdf = { decision: "allow", tool: "skill_load", skill_name: "pdf" } as const;
const denyPdf = { decision: "deny", tool: "skill_load", skill_name: "pdf" } as const;
const denyAll = { decision: "deny", tool: "skill_load" } as const;

function fresh() {
  const folder = layTree({});
  return { folder, file: join(folder, "permissions.json"), answers: createAnswerStore(folder) };
}

describe("the answer store", () => {
  it("remembers nothing at first, and asking makes no file", async () => {
    const { answers, file } = fresh();
    expect(answers.list()).toEqual([]);
    expect(await answers.remove(allowPdf)).toBe(false);
    expect(existsSync(file)).toBe(false);
  });

  it("writes what people can read, for the user's eyes only", async () => {
    const { answers, file } = fresh();
    await answers.add({ ...allowPdf, skill_name: "x" });
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
      allow: [{ tool: "skill_load", skill_name: "x" }],
      deny: [],
    });
    expect(readFileSync(file, "utf8")).toMatch(/^\{\n {2}"allow": \[\n/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it("keeps each answer once, and does not touch the file for one that it has", async () => {
    const { folder, file, answers } = fresh();
    for (const answer of [allowPdf, denyAll]) await answers.add(answer);
    const before = statSync(file).ino;
    for (const answer of [allowPdf, denyAll, { ...denyAll, skill_name: undefined }]) await answers.add(answer);
    expect(statSync(file).ino).toBe(before);
    expect(createAnswerStore(folder).list()).toEqual([allowPdf, denyAll]);
  });

  it("replaces an answer by its opposite, and leaves the others", async () => {
    const { answers } = fresh();
    for (const answer of [allowPdf, denyAll, denyPdf]) await answers.add(answer);
    expect(answers.list()).toEqual([denyAll, denyPdf]);
    await answers.add(allowPdf);
    expect(answers.list()).toEqual([allowPdf, denyAll]);
  });

  it("settles a file that says both", async () => {
    const { answers, file } = fresh();
    const both = { allow: [{ tool: "skill_load" }], deny: [{ tool: "skill_load" }] };
    writeFileSync(file, JSON.stringify(both));
    await answers.add(denyAll);
    expect(answers.list()).toEqual([denyAll]);
  });

  it("forgets exactly the answer that is named, and says whether it was there", async () => {
    const { answers } = fresh();
    for (const answer of [denyPdf, denyAll]) await answers.add(answer);
    const removed = [];
    for (const answer of [allowPdf, denyPdf, denyPdf]) removed.push(await answers.remove(answer));
    expect({ removed, left: answers.list() }).toEqual({ removed: [false, true, false], left: [denyAll] });
  });

  it.each([
    ["no JSON", '{"allow":'],
    ["no lists", '{"allow":{},"deny":[]}'],
    ["one list only", '{"allow":[]}'],
    ["a list of texts", '{"allow":["skill_load"],"deny":[]}'],
    ["an answer about no tool", '{"allow":[{"skill_name":"pdf"}],"deny":[]}'],
    ["an empty name", '{"allow":[{"tool":"skill_load","skill_name":""}],"deny":[]}'],
    ["a misspelt key, which would widen an answer to all skills", '{"allow":[{"tool":"t","skill":"pdf"}],"deny":[]}'],
    ["a list that it would lose", '{"allow":[],"deny":[],"ask":[{"tool":"t"}]}'],
  ])("refuses a file with %s, says what to do, and keeps it", async (_, text) => {
    const { answers, file } = fresh();
    writeFileSync(file, text);
    expect(() => answers.list()).toThrow(/ cannot be read \(.+\)\. Mend it, or delete it to start anew\.$/);
    await expect(answers.add(allowPdf)).rejects.toMatchObject({ code: "unavailable" });
    await expect(answers.remove(allowPdf)).rejects.toMatchObject({ code: "unavailable" });
    expect(readFileSync(file, "utf8")).toBe(text);
  });

  it("refuses an answer that it could not read again", async () => {
    const { answers, file } = fresh();
    const wrong = [
      { ...denyAll, tool: "" },
      { ...denyPdf, skill_name: "" },
    ] satisfies Answer[];
    for (const answer of wrong) await expect(answers.add(answer)).rejects.toMatchObject({ code: "invalid-input" });
    expect(existsSync(file)).toBe(false);
  });

  it("loses no answer of several processes", async () => {
    const { folder, answers } = fresh();
    const code = `
      import { createAnswerStore } from ${JSON.stringify(new URL("../src/answers.ts", import.meta.url).href)};
      const [folder, who] = process.argv.slice(1);
      const answers = createAnswerStore(folder);
      for (let at = 0; at < 10; at++) await answers.add({ decision: "allow", tool: "t", skill_name: who + at });
    `;
    const run = (who: string) =>
      promisify(execFile)(process.execPath, ["--input-type=module", "-e", code, folder, who]);
    await Promise.all(["a", "b", "c"].map(run));
    expect(answers.list()).toHaveLength(30);
  });
});

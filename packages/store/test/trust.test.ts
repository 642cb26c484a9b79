import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { createTrustStore } from "../src/index.ts";

const base = realpathSync(mkdtempSync(join(tmpdir(), "skillholm-trust-")));
afterAll(() => rmSync(base, { recursive: true, force: true }));

let count = 0;

/** A place with these folders in it, and a memory that holds nothing yet. */
function createPlace(...folders: readonly string[]) {
  const place = join(base, `${++count}`);
  for (const folder of folders) mkdirSync(join(place, folder), { recursive: true });
  return { at: (path: string) => join(place, path), trust: createTrustStore(join(place, "state")) };
}

describe("the trust store", () => {
  it("trusts nothing at first", () => {
    const { at, trust } = createPlace("project");
    expect(trust.list()).toEqual([]);
    expect(trust.isTrusted(at("project"))).toBe(false);
  });

  it("trusts a folder and everything below it, and nothing above or beside it", async () => {
    const { at, trust } = createPlace("work/project/sub/deep", "work/project-evil", "work/other");
    await trust.add(at("work/project"));
    const folders = ["work/project", "work/project/sub/deep", "work", "work/project-evil", "work/other"];
    expect(folders.map((folder) => trust.isTrusted(at(folder)))).toEqual([true, true, false, false, false]);
  });

  it("remembers each folder once, in order, for whoever opens it next", async () => {
    const { at, trust } = createPlace("b", "a");
    for (const folder of ["b", "a", "b/"]) await trust.add(at(folder));
    expect(createTrustStore(at("state")).list()).toEqual([at("a"), at("b")]);
    expect(JSON.parse(readFileSync(at("state/trust.json"), "utf8"))).toEqual({ folders: [at("a"), at("b")] });
  });

  it("goes by the real path, so that no link can borrow trust", async () => {
    const { at, trust } = createPlace("project", "evil/sub");
    symlinkSync(at("project"), at("link-in"));
    symlinkSync(at("evil"), at("project/link-out"));
    await trust.add(at("link-in"));
    expect(trust.list()).toEqual([at("project")]);
    const folders = ["project", "link-in", "project/link-out", "project/link-out/sub", "project/../evil"];
    expect(folders.map((folder) => trust.isTrusted(at(folder)))).toEqual([true, true, false, false, false]);
  });

  it("does not follow a link that is turned to another folder later", async () => {
    const { at, trust } = createPlace("project", "evil");
    symlinkSync(at("project"), at("link"));
    await trust.add(at("link"));
    rmSync(at("link"));
    symlinkSync(at("evil"), at("link"));
    expect(trust.isTrusted(at("link"))).toBe(false);
  });

  it("forgets a folder, also through a link or after it is gone", async () => {
    const { at, trust } = createPlace("one", "two", "three");
    symlinkSync(at("two"), at("link"));
    for (const folder of ["one", "two", "three"]) await trust.add(at(folder));
    rmSync(at("three"), { recursive: true });
    const removed = [];
    for (const folder of ["one", "link", "three"]) removed.push(await trust.remove(at(folder)));
    expect({ removed, left: trust.list() }).toEqual({ removed: [true, true, true], left: [] });
  });

  it("says so when there was nothing to forget, be it only trusted through a folder above", async () => {
    const { at, trust } = createPlace("project/sub");
    await trust.add(at("project"));
    expect(await trust.remove(at("project/sub"))).toBe(false);
    expect(await trust.remove(at("nowhere"))).toBe(false);
    expect(trust.list()).toEqual([at("project")]);
  });

  it("trusts no folder that is not there", async () => {
    const { at, trust } = createPlace("project");
    await expect(trust.add(at("missing"))).rejects.toThrow(at("missing"));
    expect(trust.list()).toEqual([]);
  });

  it("trusts nothing from a file that it does not understand", () => {
    const { at, trust } = createPlace("project", "state");
    writeFileSync(at("state/trust.json"), JSON.stringify({ folders: at("project") }));
    expect(() => trust.isTrusted(at("project"))).toThrow('"folders" should be a list of paths');
  });
});

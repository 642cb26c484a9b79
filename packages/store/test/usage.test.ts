import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { keepFolder } from "../../../test/support/tree.ts";
import { createUsageStore } from "../src/index.ts";

describe("usage", () => {
  it("counts, and counts on in another process", async () => {
    const folder = keepFolder();
    await createUsageStore(folder).add(["/a/SKILL.md", "/b/SKILL.md"]);
    await createUsageStore(folder).add(["/a/SKILL.md"]);
    expect([...createUsageStore(folder).counts()]).toEqual([
      ["/a/SKILL.md", 2],
      ["/b/SKILL.md", 1],
    ]);
  });

  it("forgets the least used", async () => {
    const usage = createUsageStore(keepFolder());
    await usage.add(["/kept"]);
    await usage.add(["/kept", ...Array.from({ length: 1200 }, (_, n) => `/${n}`)]);
    expect(usage.counts().size).toBe(1000);
    expect(usage.counts().get("/kept")).toBe(2);
    await usage.add(["/new"]);
    expect(usage.counts().get("/new")).toBe(1);
  });

  it("says what is wrong with its file", () => {
    const folder = keepFolder();
    writeFileSync(join(folder, "usage.json"), '{ "counts": { "/a": "often" } }');
    expect(() => createUsageStore(folder).counts()).toThrow('"counts" should be numbers by path');
  });
});

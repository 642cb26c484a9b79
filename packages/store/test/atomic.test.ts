import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { layTree } from "../../../test/support/tree.ts";
import { writeAtomically } from "../src/index.ts";

const rightsOf = (path: string) => statSync(path).mode & 0o777;

describe("writing atomically", () => {
  it("keeps the rights of a file, and gives a new one those of every new file", () => {
    const folder = layTree({ "own.txt": "old", "usual.txt": "" });
    const own = join(folder, "own.txt");
    chmodSync(own, 0o640);
    writeAtomically(own, "new", "as before");
    writeAtomically(join(folder, "fresh.txt"), "new", "as before");
    writeAtomically(join(folder, "secret.txt"), "new", "owner only");
    expect(["own.txt", "fresh.txt", "secret.txt"].map((name) => rightsOf(join(folder, name)))).toEqual([
      0o640,
      rightsOf(join(folder, "usual.txt")),
      0o600,
    ]);
    expect(readFileSync(own, "utf8")).toBe("new");
  });

  it("takes rights away from a secret that others could read", () => {
    const path = join(layTree({ "secret.txt": "old" }), "secret.txt");
    chmodSync(path, 0o644);
    writeAtomically(path, "new", "owner only");
    expect(rightsOf(path)).toBe(0o600);
  });

  it("leaves what was there when it fails, and nothing beside it", () => {
    const folder = layTree({ "folder/file": "kept" });
    writeFileSync(join(folder, "x"), "");
    expect(() => writeAtomically(join(folder, "folder"), "new", "as before")).toThrow();
    expect(readdirSync(folder)).toEqual(["folder", "x"]);
  });
});

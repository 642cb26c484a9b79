import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { buildPage } from "../scripts/page.ts";
import { layTree } from "./support/tree.ts";

const files = {
  "index.html": '<!doctype html><title>t</title><script type="module" src="/src/main.js"></script>',
  "src/main.js": 'document.title = "one";',
};

function scriptOf(out: string): string {
  const [name = ""] = readdirSync(join(out, "assets"));
  return readFileSync(join(out, "assets", name), "utf8");
}

describe("building the page", () => {
  it("happens when something in it changed, and only then", () => {
    const web = layTree(files);
    const out = buildPage(web);
    expect(scriptOf(out)).toContain("one");
    const made = statSync(join(out, "index.html")).ino;
    writeFileSync(join(web, "src/main.js"), files["src/main.js"]);
    expect(statSync(join(buildPage(web), "index.html")).ino).toBe(made);
    writeFileSync(join(web, "src/main.js"), 'document.title = "two";');
    expect(scriptOf(buildPage(web))).toContain("two");
    expect(readdirSync(web).sort()).toEqual(["dist", "index.html", "src"]);
  });

  it("leaves the old page where it was when it fails, and says why", () => {
    const web = layTree(files);
    const out = buildPage(web);
    writeFileSync(join(web, "src/main.js"), "import './nowhere.js';");
    expect(() => buildPage(web)).toThrow(/nowhere\.js/);
    expect(scriptOf(out)).toContain("one");
    expect(readdirSync(web).sort()).toEqual(["dist", "index.html", "src"]);
  });
});

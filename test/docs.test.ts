import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const repo = fileURLToPath(new URL("..", import.meta.url));
const pages = globSync(["*.md", "docs/**/*.md"], { cwd: repo });

/** What a page points to that is not there. */
function missing(page: string): readonly string[] {
  const text = readFileSync(join(repo, page), "utf8");
  const links = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)[^)]*\)/g)].map((match) =>
    join(dirname(page), match[1] ?? ""),
  );
  const files = [...text.matchAll(/`((?:packages|hosts|scripts|bench|test)\/[\w./-]+\.\w+)`/g)].map(
    (match) => match[1] ?? "",
  );
  return [...links, ...files].filter((path) => !existsSync(join(repo, path)));
}

describe("the documentation", () => {
  it.each(pages)("%s points only to what is there", (page) => {
    expect(missing(page)).toEqual([]);
  });

  it("follows a skill through every workspace", () => {
    const text = readFileSync(join(repo, "docs/from-a-file-to-a-card.md"), "utf8");
    for (const workspace of ["core", "tools", "profiles", "chat", "store", "engine", "server", "web", "cli"]) {
      expect(text).toMatch(new RegExp(`\`(packages|hosts)/${workspace}/src/`));
    }
  });
});

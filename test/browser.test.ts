import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { describe, expect, it, onTestFinished } from "vitest";
import { openBrowserPage } from "./support/browser.ts";
import { skillText } from "./support/tree.ts";

const entry = fileURLToPath(new URL("../packages/core/src/portable.ts", import.meta.url));

describe("the portable library in a browser", () => {
  it("loads, finds and hashes skills in Chromium", async () => {
    const { outputFiles } = await build({
      entryPoints: [entry],
      bundle: true,
      write: false,
      format: "esm",
      platform: "browser",
    });
    const script = outputFiles[0]?.text ?? "";
    const server = createServer((request, response) => {
      const isScript = request.url === "/skillholm.js";
      response.setHeader("content-type", isScript ? "text/javascript" : "text/html");
      response.end(isScript ? script : "<!doctype html><title>test</title>");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const page = await openBrowserPage();
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    const files = {
      "/s/a/SKILL.md": skillText("a"),
      "/s/b/SKILL.md": skillText("b", "Use when: it is b"),
      "/s/c/SKILL.md": "x",
    };
    // As text, so that the test runner's own loader leaves the import alone.
    const result = await page.evaluate(`(async () => {
      const { createMemorySource, createSkills } = await import("/skillholm.js");
      const root = { path: "/s", scope: "user", trusted: true, writable: false, links: "inside" };
      const skills = await createSkills({ sources: [{ source: createMemorySource(${JSON.stringify(files)}), roots: [root] }] });
      return {
        names: skills.catalog.skills.map((skill) => skill.name),
        hidden: skills.catalog.hidden.map((each) => each.state),
        description: skills.find("b").description,
        hash: await skills.hash(skills.find("a")),
      };
    })()`);
    expect(result).toEqual({
      names: ["a", "b"],
      hidden: ["invalid"],
      description: "Use when: it is b",
      hash: createHash("sha256").update(files["/s/a/SKILL.md"]).digest("hex"),
    });
  });
});

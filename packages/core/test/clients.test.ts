import { describe, expect, it } from "vitest";
import { clients } from "../src/clients.ts";
import { findClients, judgeForClients } from "../src/judge-clients.ts";
import { validateSkill } from "../src/validate.ts";

const all = ["codex", "gemini", "opencode", "mcp"];

/** Which clients show a skill. */
function shownBy(text: string, folder = "a", depth = 1): string {
  const skill = {
    path: `/s/${folder}/SKILL.md`,
    dir: `/s/${folder}`,
    folder,
    bytes: new TextEncoder().encode(text),
    files: new Map(),
  };
  const verdicts = judgeForClients(findClients(all), validateSkill(skill), skill, depth);
  return verdicts.flatMap(({ client, loads }) => (loads ? [client] : [])).join(" ");
}

// Each line was seen in the client itself; see `how` in clients.ts.
describe("other clients", () => {
  it.each([
    ["a plain skill", "---\nname: a\ndescription: d\n---\n", "codex gemini opencode mcp"],
    ["an unquoted colon", "---\nname: a\ndescription: Use when: asked\n---\n", "codex gemini opencode"],
    ["no name", "---\ndescription: d\n---\n", "codex"],
    ["no description", "---\nname: a\n---\n", "opencode"],
    ["a list as description", "---\nname: a\ndescription:\n  - d\n---\n", "gemini"],
    ["another name than the folder's", "---\nname: b\ndescription: d\n---\n", "codex gemini opencode"],
    ["a number as name", "---\nname: 123\ndescription: d\n---\n", "codex gemini"],
    ["a name of 65 characters", `---\nname: ${"a".repeat(65)}\ndescription: d\n---\n`, "gemini opencode"],
    ["a description of 1,025", `---\nname: a\ndescription: ${"d".repeat(1025)}\n---\n`, "codex gemini opencode"],
    ["a name twice", "---\nname: a\nname: a\ndescription: d\n---\n", "gemini"],
    ["blank lines first", "\n\n---\nname: a\ndescription: d\n---\n", ""],
    ["a byte order mark", "\ufeff---\nname: a\ndescription: d\n---\n", "opencode mcp"],
    ["blanks after the first fence", "---  \nname: a\ndescription: d\n---\n", "codex opencode"],
    ["a long closing fence", "---\nname: a\ndescription: d\n----\n", "gemini opencode"],
    ["a number in metadata", "---\nname: a\ndescription: d\nmetadata:\n  version: 1.0\n---\n", "codex gemini opencode"],
    ["metadata with a list", "---\nname: a\ndescription: d\nmetadata:\n  tags: [x]\n---\n", "codex gemini opencode"],
  ])("show %s, or drop it", (_, text, shown) => {
    expect(shownBy(text)).toBe(shown);
  });

  it("look only so deep", () => {
    const text = "---\nname: a\ndescription: d\n---\n";
    expect(shownBy(text, "a", 2)).toBe("codex opencode mcp");
    expect(shownBy(text, "a", 7)).toBe("opencode mcp");
  });

  it("are dated, say how they were looked at, and are refused where nobody looked", () => {
    for (const { checked, how, version } of clients) {
      expect(checked).toMatch(/^\d{4}-\d{2}-\d{2}$/);
      expect(how.length + version.length).toBeGreaterThan(20);
    }
    expect(() => findClients(["codx"])).toThrow('Known: codex, gemini, opencode, mcp. Did you mean "codex"?');
  });
});

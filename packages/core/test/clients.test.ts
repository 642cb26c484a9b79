import { describe, expect, it } from "vitest";
import { clients } from "../src/clients.ts";
import { type ClientVerdict, findClients, judgeForClients } from "../src/judge-clients.ts";
import { validateSkill } from "../src/validate.ts";

const all = clients.map(({ id }) => id);

function judge(text: string, folder = "a", depth = 1): readonly ClientVerdict[] {
  const skill = {
    path: `/s/${folder}/SKILL.md`,
    dir: `/s/${folder}`,
    folder,
    bytes: new TextEncoder().encode(text),
    files: new Map(),
  };
  return judgeForClients(findClients(all), validateSkill(skill), skill, depth);
}

/** Which clients show a skill. */
function shownBy(...skill: Parameters<typeof judge>): string {
  return judge(...skill)
    .flatMap(({ client, loads }) => (loads ? [client] : []))
    .join(" ");
}

/** What a client shows otherwise than it is written. */
function changedBy(id: string, text: string): readonly string[] {
  return judge(text).find(({ client }) => client === id)?.changes ?? [];
}

// Each line was seen in the client itself; see `how` in clients.ts.
describe("other clients", () => {
  it.each([
    ["a plain skill", "---\nname: a\ndescription: d\n---\n", "claude codex gemini opencode mcp copilot"],
    ["an unquoted colon", "---\nname: a\ndescription: Use when: asked\n---\n", "claude codex gemini opencode"],
    ["no name", "---\ndescription: d\n---\n", "claude codex copilot"],
    ["no description", "---\nname: a\n---\n", "claude opencode copilot"],
    ["a list as description", "---\nname: a\ndescription:\n  - d\n---\n", "claude gemini"],
    ["another name than the folder's", "---\nname: b\ndescription: d\n---\n", "claude codex gemini opencode copilot"],
    ["a number as name", "---\nname: 123\ndescription: d\n---\n", "claude codex gemini"],
    ["a name of 65 characters", `---\nname: ${"a".repeat(65)}\ndescription: d\n---\n`, "claude gemini opencode"],
    ["a description of 1,025", `---\nname: a\ndescription: ${"d".repeat(1025)}\n---\n`, "claude codex gemini opencode"],
    ["a name twice", "---\nname: a\nname: a\ndescription: d\n---\n", "claude gemini"],
    ["blank lines first", "\n\n---\nname: a\ndescription: d\n---\n", "claude"],
    ["a byte order mark", "\ufeff---\nname: a\ndescription: d\n---\n", "claude opencode mcp copilot"],
    ["blanks after the first fence", "---  \nname: a\ndescription: d\n---\n", "claude codex opencode copilot"],
    ["a long closing fence", "---\nname: a\ndescription: d\n----\n", "claude gemini opencode"],
    [
      "a number in metadata",
      "---\nname: a\ndescription: d\nmetadata:\n  version: 1.0\n---\n",
      "claude codex gemini opencode copilot",
    ],
    [
      "metadata with a list",
      "---\nname: a\ndescription: d\nmetadata:\n  tags: [x]\n---\n",
      "claude codex gemini opencode copilot",
    ],
    ["a name beyond ASCII", "---\nname: größe\ndescription: d\n---\n", "claude codex gemini opencode"],
    ["a number as description", "---\nname: a\ndescription: 42\n---\n", "claude codex gemini opencode mcp"],
    ["nothing as description", "---\nname: a\ndescription:\n---\n", "claude opencode"],
    [
      "a flag in quotes",
      '---\nname: a\ndescription: d\nuser-invocable: "false"\n---\n',
      "claude codex gemini opencode mcp",
    ],
    ["a megabyte", `---\nname: a\ndescription: d\n---\n${"x".repeat(1_000_000)}`, "codex gemini opencode mcp copilot"],
  ])("show %s, or drop it", (_, text, shown) => {
    expect(shownBy(text)).toBe(shown);
  });

  it.each([
    ["claude", "---\nname: a\ndescription: d\n---\n", []],
    ["claude", `---\nname: a\ndescription: ${"d".repeat(1537)}\n---\n`, ["1536 of the description's 1537"]],
    [
      "claude",
      `---\nname: a\ndescription: ${"d".repeat(1530)}\nwhen_to_use: always\n---\n`,
      ["1536 of the description's 1539"],
    ],
    ["claude", "---\nname: a\ndescription: one---two\n---\n", ["takes --- within a line for the end"]],
    ["claude", "# Title\n", ["the first line below"]],
    ["claude", "---\nname: b\ndescription: d\n---\n", ["the folder's name"]],
    ["claude", "---\nname: a\ndescription: d\ndisable-model-invocation: yes\n---\n", ["models do not see it"]],
    ["claude", "---\nname: a\ndescription: d\nuser-invocable: false\n---\n", ["people cannot call it"]],
    ["claude", '---\nname: a\ndescription: d\npaths: ["*.ts"]\n---\n', ["once a file that matches"]],
    ["copilot", "---\nname: a\ndescription: d\ndisable-model-invocation: true\n---\n", ["models do not see it"]],
    ["copilot", "---\nname: a\n---\nbody\n", ["the beginning of the body"]],
  ])("%s shows %j otherwise", (id, text, changes) => {
    expect(changedBy(id, text)).toEqual(changes.map((change) => expect.stringContaining(change)));
  });

  it("differ over a valid name beyond ASCII", () => {
    expect(shownBy("---\nname: größe\ndescription: d\n---\n", "größe")).toBe("claude codex gemini opencode");
  });

  it("look only so deep", () => {
    const text = "---\nname: a\ndescription: d\n---\n";
    expect(shownBy(text, "a", 2)).toBe("codex opencode mcp copilot");
    expect(shownBy(text, "a", 7)).toBe("opencode mcp copilot");
  });

  it("are dated, say how they were looked at, and are refused where nobody looked", () => {
    for (const { checked, how, version } of clients) {
      expect(checked).toMatch(/^\d{4}-\d{2}-\d{2}$/);
      expect(how.length + version.length).toBeGreaterThan(20);
    }
    expect(() => findClients(["codx"])).toThrow(
      'Known: claude, codex, gemini, opencode, mcp, copilot. Did you mean "codex"?',
    );
  });
});

import type { LanguageModelV4, LanguageModelV4CallOptions } from "@ai-sdk/provider";
import type { Skills } from "@skillholm/core";
import { standard } from "@skillholm/profiles";
import { simulateReadableStream } from "ai";
import { describe, expect, it } from "vitest";
import { memorySkills } from "../../../test/support/skills.ts";
import { skillText } from "../../../test/support/tree.ts";
import { type ChatChunk, type ChatMessage, createGuide, personMessage, runTurn } from "../src/index.ts";

const files = {
  "brew-tea/SKILL.md": `${skillText("brew-tea", "Makes tea. Use when somebody is thirsty.")}
MARKER-IN-THE-BODY

## 1. Boil *water*

\`\`\`sh
# no heading
\`\`\`

## Wait
`,
  "brew-tea/references/kinds.md": "",
  "mend-sock/SKILL.md": "---\nname: mend-sock\ndescription: Mends socks with holes.\n---\nSew it.\n",
};

interface Turn {
  readonly chunks: readonly ChatChunk[];
  readonly text: string;
  readonly stored: ChatMessage | undefined;
}

async function turn(
  skills: Skills,
  history: readonly ChatMessage[],
  model: LanguageModelV4 = createGuide(),
): Promise<Turn> {
  let stored: ChatMessage | undefined;
  const onAnswer = (message: ChatMessage) => {
    stored = message;
  };
  const stream = await runTurn({ skills, profile: standard, model, history, budget: 4000, onAnswer });
  const chunks = await Array.fromAsync(stream);
  const text = chunks.map((chunk) => (chunk.type === "text-delta" ? chunk.delta : "")).join("");
  return { chunks, text, stored };
}

function callsOf({ chunks }: Turn) {
  return chunks.flatMap((chunk) => (chunk.type === "tool-input-available" ? [[chunk.toolName, chunk.input]] : []));
}

/** A guide that shows what it was asked. */
function spy(): { readonly model: LanguageModelV4; readonly heard: LanguageModelV4CallOptions[] } {
  const heard: LanguageModelV4CallOptions[] = [];
  const guide = createGuide();
  const doStream: LanguageModelV4["doStream"] = (options) => {
    heard.push(options);
    return guide.doStream(options);
  };
  return { model: { ...guide, doStream }, heard };
}

describe("a turn with the guide", () => {
  it("searches, activates the best skill and shows its outline, and says what it is", async () => {
    const done = await turn(await memorySkills(files), [personMessage("1", "I am thirsty")]);
    expect(callsOf(done)).toEqual([
      ["search_skills", { query: "I am thirsty" }],
      ["activate_skill", { name: "brew-tea" }],
    ]);
    expect(done.text).toBe(
      [
        "The skill `brew-tea` fits best, and is activated.",
        "",
        "Its instructions in outline:",
        "",
        "- brew-tea",
        "  - 1\\. Boil \\*water\\*",
        "  - Wait",
        "",
        "It brings a file: `references/kinds.md`.",
        "",
        "*I am the built-in guide, not a language model: I find skills and show them. I cannot follow them.*",
      ].join("\n"),
    );
  });

  it("gives the same turn every time", async () => {
    const skills = await memorySkills(files);
    const [a, b] = [
      await turn(skills, [personMessage("1", "holes")]),
      await turn(skills, [personMessage("1", "holes")]),
    ];
    expect(callsOf(a)).toEqual(callsOf(b));
    expect(a.text).toBe(b.text);
    expect(a.text).toContain("Its instructions are one line long and have no headings.");
  });

  it("says that nothing matches instead of the least bad", async () => {
    const done = await turn(await memorySkills(files), [personMessage("1", "quantum chromodynamics")]);
    expect(callsOf(done)).toEqual([["search_skills", { query: "quantum chromodynamics" }]]);
    expect(done.text).toMatch(/^No skill matches that\./);
  });

  it("offers no tools and no catalog where there are no skills", async () => {
    const { model, heard } = spy();
    const done = await turn(await memorySkills({}), [personMessage("1", "tea")], model);
    expect(done.text).toMatch(/^There are no skills here yet\./);
    expect(heard[0]?.tools ?? []).toEqual([]);
    expect(JSON.stringify(heard[0]?.prompt)).not.toContain("skills>");
  });

  it("answers each question of a conversation by itself", async () => {
    const skills = await memorySkills(files);
    const first = [personMessage("1", "I am thirsty")];
    const { stored } = await turn(skills, first);
    const second = await turn(skills, [...first, stored as ChatMessage, personMessage("2", "my socks have holes")]);
    expect(callsOf(second).at(-1)).toEqual(["activate_skill", { name: "mend-sock" }]);
  });
});

describe("what is kept of a turn", () => {
  it("is the skill and its hash, never the body, which the next turn's model reads all the same", async () => {
    const skills = await memorySkills(files);
    const first = [personMessage("1", "I am thirsty")];
    const { stored } = await turn(skills, first);
    expect(JSON.stringify(stored)).not.toContain("MARKER-IN-THE-BODY");
    expect(stored?.parts).toContainEqual(
      expect.objectContaining({
        type: "tool-activate_skill",
        output: expect.objectContaining({ skill: "brew-tea", hash: await skills.hash(skills.find("brew-tea")) }),
      }),
    );
    const { model, heard } = spy();
    await turn(skills, [...first, stored as ChatMessage, personMessage("2", "and now?")], model);
    expect(JSON.stringify(heard[0]?.prompt)).toContain("MARKER-IN-THE-BODY");
  });

  it("is a note to activate again once the skill has changed", async () => {
    const first = [personMessage("1", "I am thirsty")];
    const { stored } = await turn(await memorySkills(files), first);
    const changed = { ...files, "brew-tea/SKILL.md": skillText("brew-tea", "Makes tea.") };
    const { model, heard } = spy();
    await turn(await memorySkills(changed), [...first, stored as ChatMessage, personMessage("2", "and now?")], model);
    expect(JSON.stringify(heard[0]?.prompt)).toContain("It has changed since: activate it again.");
  });

  it("is nothing when the model failed, which the stream says", async () => {
    const model: LanguageModelV4 = {
      ...createGuide(),
      doStream: async () => {
        throw new Error("no more credit");
      },
    };
    const { chunks, stored } = await turn(await memorySkills(files), [personMessage("1", "tea")], model);
    expect(stored).toBeUndefined();
    expect(chunks).toContainEqual({ type: "error", errorText: "no more credit" });
  });

  it("tells the model of a refused call, and goes on", async () => {
    const calls = {
      type: "tool-call",
      toolCallId: "1",
      toolName: "activate_skill",
      input: '{"name":"brew-te"}',
    } as const;
    const { model, heard } = spy();
    let first = true;
    const wrong: LanguageModelV4 = {
      ...model,
      doStream: async (options) => {
        if (!first) return model.doStream(options);
        first = false;
        const finishReason = { unified: "tool-calls", raw: undefined } as const;
        const { usage } = await createGuide().doGenerate(options);
        return { stream: simulateReadableStream({ chunks: [calls, { type: "finish", finishReason, usage }] }) };
      },
    };
    const { chunks } = await turn(await memorySkills(files), [personMessage("1", "tea")], wrong);
    expect(chunks).toContainEqual(
      expect.objectContaining({ type: "tool-output-error", errorText: expect.stringContaining("Closest: brew-tea") }),
    );
    expect(JSON.stringify(heard[0]?.prompt)).toContain("skill-not-found");
  });
});

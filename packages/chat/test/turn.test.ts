import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from "@ai-sdk/provider";
import { createSession, type Skills } from "@skillholm/core";
import type { RenderedCatalog } from "@skillholm/core/dialect";
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
  told?: RenderedCatalog,
): Promise<Turn> {
  let stored: ChatMessage | undefined;
  const keep = async (message: ChatMessage) => {
    stored = message;
  };
  const catalog = told ?? (await catalogOf(skills));
  const stream = await runTurn({ session: createSession(skills), profile: standard, model, history, catalog, keep });
  const chunks = await Array.fromAsync(stream);
  const text = chunks.map((chunk) => (chunk.type === "text-delta" ? chunk.delta : "")).join("");
  return { chunks, text, stored };
}

async function catalogOf(skills: Skills): Promise<RenderedCatalog> {
  return standard.renderCatalog(await createSession(skills).view(), { tokens: 4000 });
}

function callsOf({ chunks }: Turn) {
  return chunks.flatMap((chunk) => (chunk.type === "tool-input-available" ? [[chunk.toolName, chunk.input]] : []));
}

type Controller = ReadableStreamDefaultController<LanguageModelV4StreamPart>;

const usage: LanguageModelV4Usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: 1, reasoning: undefined },
};

function throwError(message: string): never {
  throw new Error(message);
}

function finish(controller: Controller, reason: "error"): void {
  controller.enqueue({ type: "finish", finishReason: { unified: reason, raw: undefined }, usage });
  controller.close();
}

function fail(controller: Controller, message: string): void {
  controller.enqueue({ type: "error", error: new Error(message) });
  controller.close();
}

/** Says half a sentence, then what the test wants. */
function brokenModel(end: (controller: Controller) => void): LanguageModelV4 {
  const start = (controller: Controller) => {
    controller.enqueue({ type: "stream-start", warnings: [] });
    controller.enqueue({ type: "text-start", id: "t" });
    controller.enqueue({ type: "text-delta", id: "t", delta: "half" });
  };
  let begun = false;
  const pull = (controller: Controller) => {
    if (begun) return end(controller);
    begun = true;
    start(controller);
  };
  return { ...createGuide(), doStream: async () => ({ stream: new ReadableStream({ pull }) }) };
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

  it("names the nearest where none clearly matches, and activates nothing", async () => {
    const done = await turn(await memorySkills(files), [
      personMessage("1", "why do the tides of the northern sea rise twice while the moons of Saturn drink no tea"),
    ]);
    expect(callsOf(done)).toHaveLength(1);
    expect(done.text).toMatch(/^No skill clearly matches that\. The nearest: `brew-tea`\./);
  });

  it("is told at the start what there is, and later only what changed", async () => {
    const before = await memorySkills(files);
    const told = await catalogOf(before);
    const { "mend-sock/SKILL.md": _, ...rest } = files;
    const after = await memorySkills({ ...rest, "new-one/SKILL.md": skillText("new-one", "Is new.") });
    const { model, heard } = spy();
    await turn(before, [personMessage("1", "I am thirsty")], model, told);
    await turn(after, [personMessage("1", "I am thirsty")], model, told);
    const [first, second] = [heard[0]?.prompt ?? [], heard.at(-1)?.prompt ?? []];
    expect(second[0]).toEqual(first[0]);
    expect(first.filter(({ role }) => role === "system")).toHaveLength(1);
    const news = second.filter(({ role }) => role === "system").at(-1)?.content;
    expect(news).toContain("<name>new-one</name>\n<description>Is new.</description>");
    expect(news).toContain("<removed>mend-sock</removed>");
    expect(news).not.toContain("brew-tea");
  });

  it("says that nothing matches instead of the least bad", async () => {
    const done = await turn(await memorySkills(files), [personMessage("1", "quantum chromodynamics")]);
    expect(callsOf(done)).toEqual([["search_skills", { query: "quantum chromodynamics" }]]);
    expect(done.text).toMatch(/^No skill matches that\./);
  });

  it("offers no tools and no catalog where there are no skills", async () => {
    const { model, heard } = spy();
    const done = await turn(await memorySkills({}), [personMessage("1", "tea")], model);
    expect(done.text).toMatch(/^There is no skill here that a model may use\./);
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

  it.each<[string, (controller: Controller) => void, string]>([
    ["throws at once", () => throwError("no more credit"), "no more credit"],
    ["breaks off in the middle", (controller) => controller.error(new Error("connection lost")), "connection lost"],
    ["says that it failed", (controller) => fail(controller, "overloaded"), "overloaded"],
    ["ends without a word", (controller) => controller.close(), "The model stopped before its answer was whole."],
    [
      "finishes with an error",
      (controller) => finish(controller, "error"),
      "The model stopped before its answer was whole.",
    ],
  ])("is nothing of a model that %s, which the stream says", async (_, end, reason) => {
    const { chunks, stored } = await turn(await memorySkills(files), [personMessage("1", "tea")], brokenModel(end));
    expect(stored).toBeUndefined();
    expect(chunks.filter((chunk) => chunk.type === "error")).toEqual([{ type: "error", errorText: reason }]);
    expect(chunks.some((chunk) => chunk.type === "finish")).toBe(false);
  });

  it("is nothing of a model that calls tools for ever", async () => {
    let calls = 0;
    const model: LanguageModelV4 = {
      ...createGuide(),
      doStream: async () => {
        const call = {
          type: "tool-call",
          toolCallId: `${++calls}`,
          toolName: "search_skills",
          input: '{"query":"x"}',
        } as const;
        const chunks = [
          call,
          { type: "finish", finishReason: { unified: "tool-calls", raw: undefined }, usage },
        ] as const;
        return { stream: simulateReadableStream({ chunks: [...chunks] }) };
      },
    };
    const { chunks, stored } = await turn(await memorySkills(files), [personMessage("1", "tea")], model);
    expect({ calls, stored }).toEqual({ calls: 16, stored: undefined });
    expect(chunks.at(-1)).toEqual({ type: "error", errorText: expect.stringContaining("16 times") });
  });

  it("is said to be done only when it is kept", async () => {
    const keep = () => Promise.reject(new Error("disk full"));
    const history = [personMessage("1", "tea")];
    const options = {
      session: createSession(await memorySkills(files)),
      profile: standard,
      model: createGuide(),
      history,
      catalog: await catalogOf(await memorySkills(files)),
      keep,
    };
    const chunks = await Array.fromAsync(await runTurn(options));
    expect(chunks.at(-1)).toEqual({ type: "error", errorText: "disk full" });
    expect(chunks.some((chunk) => chunk.type === "finish")).toBe(false);
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

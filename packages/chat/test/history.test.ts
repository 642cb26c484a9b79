import { createSession } from "@skillholm/core";
import { createActivateTool } from "@skillholm/tools";
import { describe, expect, it } from "vitest";
import { memorySkills } from "../../../test/support/skills.ts";
import { skillText } from "../../../test/support/tree.ts";
import { packMessage, unpackMessages } from "../src/history.ts";
import type { ChatMessage } from "../src/message.ts";

describe("the history of a chat", () => {
  it("keeps no skill's text, whatever the tool is called", async () => {
    const tool = createActivateTool(createSession(await memorySkills({ "greet/SKILL.md": skillText("greet") })));
    const tools = [{ ...tool, name: "skills.activate" }];
    const input = { name: "greet" };
    const { structured: output } = await tool.call(input);
    const part = { type: "tool-skillsActivate", toolCallId: "c", state: "output-available", input, output };
    const message = { id: "m", role: "assistant", parts: [part] } as ChatMessage;
    const packed = packMessage(message, tools);
    expect(JSON.stringify(packed)).not.toContain("# greet");
    expect(await unpackMessages([packed], tools)).toEqual([message]);
  });
});

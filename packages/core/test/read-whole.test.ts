import { describe, expect, it } from "vitest";
import { memorySkills } from "../../../test/support/skills.ts";
import { skillText } from "../../../test/support/tree.ts";

const files = { "tea/SKILL.md": skillText("tea"), "tea/leaf.bin": "\0\u0001" };

describe("a file as it is", () => {
  it("comes whole, whatever kind it is, and is written down", async () => {
    const session = (await memorySkills(files)).session();
    expect(await session.readWhole("tea", "leaf.bin")).toEqual(new Uint8Array([0, 1]));
    expect(session.ledger().read).toMatchObject([{ path: expect.stringContaining("tea"), file: "leaf.bin" }]);
    await expect(session.readWhole("tea", "../tea/SKILL.md")).rejects.toMatchObject({ code: "path-outside-skill" });
  });

  it("needs what a model needs: the instructions by this door are still the instructions", async () => {
    const rules = [{ decision: "deny", tool: "activate_skill" }] as const;
    const session = (await memorySkills(files)).session({ permissions: { rules } });
    await expect(session.readWhole("tea", "SKILL.md")).rejects.toMatchObject({ code: "permission-denied" });
    expect(await session.readWhole("tea", "leaf.bin")).toHaveLength(2);
  });
});

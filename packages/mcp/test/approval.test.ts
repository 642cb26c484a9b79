import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openSkills, type PermissionRule } from "@skillholm/core";
import { describe, expect, it } from "vitest";
import { layTree, skillText } from "../../../test/support/tree.ts";
import { connect, hostOf, serviceOf } from "./support.ts";

const rules: readonly PermissionRule[] = [{ decision: "ask", tool: "activate_skill" }];
const capabilities = { elicitation: { form: {} } };
const yes = { approval: { action: "accept", content: { allow: true } } };

interface Answer {
  readonly resultType?: string;
  readonly requestState?: string;
  readonly isError?: boolean;
}

async function open(files: Record<string, string>) {
  const folder = layTree(files);
  const root = { path: folder, scope: "user", trusted: true, writable: true, links: "inside" } as const;
  const service = serviceOf(hostOf(await openSkills({ roots: [root] }), rules));
  const client = await connect(service, "new", { capabilities, inputRequired: { autoFulfill: false } });
  const call = async (more: object = {}): Promise<Answer> => {
    const params = { name: "activate_skill", arguments: { name: "tea" }, ...more };
    return client.request({ method: "tools/call", params }, { allowInputRequired: true }) as Promise<Answer>;
  };
  return { client, call, folder };
}

describe("an approval", () => {
  it("counts once: the same answer again is asked for again", async () => {
    const { call } = await open({ "tea/SKILL.md": skillText("tea") });
    const { requestState, resultType } = await call();
    expect(resultType).toBe("input_required");
    expect(await call({ requestState, inputResponses: yes })).toMatchObject({ isError: false });
    expect(await call({ requestState, inputResponses: yes })).toMatchObject({ resultType: "input_required" });
  });

  it("is for these arguments", async () => {
    const { call } = await open({ "tea/SKILL.md": skillText("tea") });
    const { requestState } = await call();
    const other = { requestState, inputResponses: yes, arguments: { name: "tea", arguments: "all of it" } };
    expect(await call(other)).toMatchObject({ resultType: "input_required" });
  });

  it("is for the files as they were when it was asked for", async () => {
    const files = { "tea/SKILL.md": skillText("tea"), "tea/scripts/boil.sh": "boil" };
    const { call, folder } = await open(files);
    const { requestState } = await call();
    writeFileSync(join(folder, "tea/scripts/boil.sh"), "burn");
    expect(await call({ requestState, inputResponses: yes })).toMatchObject({ resultType: "input_required" });
  });

  it("is nothing without our question, or with one that somebody made up", async () => {
    const { call } = await open({ "tea/SKILL.md": skillText("tea") });
    expect(await call({ inputResponses: yes })).toMatchObject({ resultType: "input_required" });
    await expect(call({ requestState: "v1.e30.e30", inputResponses: yes })).rejects.toThrow("requestState");
  });

  it("is asked for before a file is read by its address", async () => {
    const { client } = await open({ "tea/SKILL.md": skillText("tea") });
    const params = { uri: "skill://tea/SKILL.md" };
    const answer = await client.request({ method: "resources/read", params }, { allowInputRequired: true });
    expect(answer).toMatchObject({ resultType: "input_required" });
  });
});

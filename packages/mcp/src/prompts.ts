import { type Prompt, ProtocolError, ProtocolErrorCode, type Server } from "@modelcontextprotocol/server";
import { dropHidden } from "@skillholm/core/dialect";
import { type Catalog, type Skill, SkillError } from "@skillholm/core/portable";
import { describeActivation } from "@skillholm/tools";
import { completeArgument, promptArguments, writeGiven } from "./arguments.ts";
import type { McpHost } from "./host.ts";
import { compareKeys, takePage } from "./page.ts";
import { completeUri } from "./uri.ts";

/** Every skill that a person may call is a prompt, also one that its author keeps from models. */
export function servePrompts(server: Server, host: McpHost): void {
  server.setRequestHandler("prompts/list", async ({ params }) => {
    const { skills } = await host.open();
    const page = takePage(promptsOf(skills.catalog), ({ name }) => name, params?.cursor);
    return { prompts: page.items.map(describe), ...(page.nextCursor && { nextCursor: page.nextCursor }) };
  });
  server.setRequestHandler("prompts/get", async ({ params }) => {
    const { skills, session } = await host.open();
    const skill = find(skills.catalog, params.name);
    try {
      // Prompts are what people choose: that is a yes. A rule that denies stands.
      const activation = await session.activate(skill.path, {
        given: writeGiven(skill, params.arguments),
        by: "person",
      });
      const { content: text } = describeActivation(activation);
      return { description: skill.description, messages: [{ role: "user", content: { type: "text", text } }] };
    } catch (error) {
      if (!(error instanceof SkillError)) throw error;
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${error.message} (${error.code})`);
    }
  });
  server.setRequestHandler("completion/complete", async ({ params: { ref, argument } }) => {
    const { skills, session } = await host.open();
    const values =
      ref.type === "ref/prompt"
        ? completeArgument(find(skills.catalog, ref.name), argument.name, argument.value)
        : completeUri(session.visible(), argument.value);
    return { completion: { values: values.slice(0, most), total: values.length, hasMore: values.length > most } };
  });
}

// As many as an answer may hold.
const most = 100;

const prompts = new WeakMap<Catalog, readonly Skill[]>();

/** By name, the first of each: where several have one name, they are told apart by tools only. */
function promptsOf(catalog: Catalog): readonly Skill[] {
  const known = prompts.get(catalog);
  if (known !== undefined) return known;
  const byName = new Map<string, Skill>();
  for (const skill of catalog.skills) {
    if (skill.fields.userInvocable !== false && !byName.has(skill.name)) byName.set(skill.name, skill);
  }
  const sorted = [...byName.values()].sort((a, b) => compareKeys(a.name, b.name));
  prompts.set(catalog, sorted);
  return sorted;
}

function find(catalog: Catalog, name: string): Skill {
  const skill = promptsOf(catalog).find((each) => each.name === name);
  if (skill !== undefined) return skill;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no prompt "${name}".`);
}

function describe(skill: Skill): Prompt {
  return { name: skill.name, description: dropHidden(skill.description), arguments: promptArguments(skill) };
}

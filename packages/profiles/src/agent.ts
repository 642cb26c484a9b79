import type { Session } from "@skillholm/core/portable";
import type { SkillTool } from "@skillholm/tools";
import type { AgentOptions } from "./agent-options.ts";
import { standard } from "./standard.ts";

/** What an agent is given of a session, before it is put into an SDK's words. */
export interface Agent {
  readonly instructions: string;
  readonly tools: readonly SkillTool[];
}

/** The catalog and the tools of the standard profile; neither where there are no skills. */
export async function prepareAgent(session: Session, options: AgentOptions = {}): Promise<Agent> {
  const { budget: tokens = standard.limits.tokens, task, names = "text" } = options;
  const view = await session.view(task);
  if (view.skills.length === 0) return { instructions: "", tools: [] };
  return {
    instructions: standard.renderCatalog(view, { tokens }).text,
    tools: standard.createTools(session, { cwd: "", names }),
  };
}

import type { Session } from "@skillholm/core/portable";
import type { SkillTool } from "@skillholm/tools";
import type { AgentOptions } from "./agent-options.ts";
import { standard } from "./standard.ts";

/** What an agent is given of a session, before it is put into an SDK's words. */
export interface Agent {
  readonly instructions: string;
  readonly tools: readonly SkillTool[];
}

/** The catalog and the tools of a profile; neither where there are no skills. */
export async function prepareAgent(session: Session, options: AgentOptions = {}): Promise<Agent> {
  const { profile = standard, budget, task, names = "text" } = options;
  const limits = budget === undefined ? profile.limits : { ...profile.limits, tokens: budget };
  const view = await session.view(task);
  if (view.skills.length === 0) return { instructions: "", tools: [] };
  return {
    instructions: profile.renderCatalog(view, limits).text,
    tools: profile.createTools(session, { cwd: "", names }),
  };
}

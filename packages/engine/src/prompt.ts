import { countTokens, type Session, type Skill } from "@skillholm/core";
import type { CatalogView } from "@skillholm/core/dialect";
import type { CatalogLimits, Profile } from "@skillholm/profiles";
import type { UsageStore } from "@skillholm/store";
import { renderAgentsContext } from "./agents-context.ts";
import { readTurn, type Turn } from "./read-turn.ts";
import type { Setup } from "./setup.ts";

/** What the model sees at the start, and what each skill costs of it. */
export interface PromptReport {
  readonly text: string;
  readonly tokens: number;
  /** Null where the profile has none in tokens. */
  readonly budget: number | null;
  readonly shown: number;
  readonly total: number;
  /** Some skill is not shown in full. */
  readonly truncated: boolean;
  readonly entries: readonly PromptEntry[];
  /** What was read out of the person's message. */
  readonly turn?: Turn;
}

interface PromptEntry {
  readonly name: string;
  readonly path: string;
  readonly tokens: number;
  readonly shown: "full" | "short" | "name" | "none";
  readonly reason: string;
}

/** What a catalog is made from: the skills that a model may see, and which matter the most. */
export async function viewSkills(
  session: Session,
  usage: Pick<UsageStore, "counts">,
  task?: string,
): Promise<CatalogView> {
  const counts = usage.counts();
  return { ...(await session.view(task)), uses: ({ path }) => counts.get(path) ?? 0 };
}

export interface PromptRequest {
  /** In tokens; the configured one unless given. */
  readonly budget?: number | undefined;
  /** What the person says: the space goes to what it needs, and skills that it calls are told of. */
  readonly task?: string | undefined;
  /** The conversation that it is for, or its file; a new one unless given. */
  readonly session?: Session | string | undefined;
  /** False for a model that cannot call any: what the person calls is put into the prompt. */
  readonly tools?: boolean | undefined;
}

interface PromptInput extends Omit<PromptRequest, "budget" | "session"> {
  readonly setup: Setup;
  readonly session: Session;
  readonly usage: Pick<UsageStore, "counts">;
  readonly limits: CatalogLimits;
  readonly project: string;
}

/** The whole of what a model is told of the skills at the start of a turn. */
export async function writePrompt(input: PromptInput): Promise<PromptReport> {
  const { setup, session, usage, limits, task, tools, project } = input;
  const { profile, host } = setup;
  const view = await viewSkills(session, usage, task);
  const before = profile.agentsFiles === true ? await renderAgentsContext(host.cwd, project) : "";
  const turn = task === undefined ? undefined : await readTurn({ setup, session, text: task, tools: tools !== false });
  const report = renderPrompt(profile, view, limits, { before, after: turn?.notes ?? "" });
  return turn === undefined ? report : { ...report, turn };
}

/** Renders the catalog within limits; `before` stands above it in the prompt, `after` below. */
function renderPrompt(
  profile: Profile,
  view: CatalogView,
  limits: CatalogLimits,
  around: { readonly before?: string; readonly after?: string } = {},
): PromptReport {
  const { text: catalog, cost, shown, total, truncated, entries } = profile.renderCatalog(view, limits);
  const account = entries.map(({ skill: { name, path }, cost: tokens, shown, reason }) => {
    return { name, path, tokens, shown, reason };
  });
  const text = [around.before ?? "", catalog, around.after ?? ""].filter((part) => part !== "").join("\n\n");
  const budget = Number.isFinite(limits.tokens) ? limits.tokens : null;
  const tokens = text === catalog ? cost : countTokens(text);
  return { text, tokens, budget, shown, total, truncated, entries: account };
}

/** What one skill costs in a catalog that has room for all. */
export function countEntry(profile: Profile, skill: Skill): number {
  const view = { skills: [skill] };
  return profile.renderCatalog(view, { tokens: Number.POSITIVE_INFINITY }).entries[0]?.cost ?? 0;
}

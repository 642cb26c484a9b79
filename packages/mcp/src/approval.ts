import {
  acceptedContent,
  createRequestStateCodec,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { dropHidden, sha256 } from "@skillholm/core/dialect";
import { type Skill, SkillError, type Skills } from "@skillholm/core/portable";
import * as z from "zod";
import type { McpHost, OpenedSkills } from "./host.ts";

/** What somebody is about to do, as rules see it. */
export interface Attempt {
  readonly tool: string;
  readonly input: unknown;
  /** The client can ask a person. */
  readonly canAsk: boolean;
}

/** The question for the client's person, or the skills to go on with. */
export type Settled = { readonly question: InputRequiredResult } | { readonly opened: OpenedSkills };

/** What an answer is for: it travels through the client, signed. */
interface Question {
  readonly id: string;
  readonly about: string;
}

const form = z.object({ allow: z.boolean().describe("Allow it this once") });
const key = "approval";
// As long as a question may wait; an answer that comes later is asked for again.
const waitSeconds = 600;

/** Asks through the client what rules leave to a person. An answer counts once, for the very same request. */
export class Approvals {
  readonly #codec = createRequestStateCodec<Question>({
    key: crypto.getRandomValues(new Uint8Array(32)),
    ttlSeconds: waitSeconds,
  });
  /** Answers that were used, until they would no longer be taken anyway. */
  readonly #used = new Map<string, number>();

  readonly verify = (state: string, context: ServerContext): Promise<Question> => this.#codec.verify(state, context);

  async settle(host: McpHost, { tool, input, canAsk }: Attempt, context: ServerContext): Promise<Settled> {
    const opened = await host.open();
    const asks = (await opened.session.asks?.(tool, input)) ?? false;
    // Where nobody can be asked the session itself refuses, and says so.
    if (!asks || !canAsk) return { opened };
    const skill = findSkill(opened.skills, input);
    const about = await sha256(encode([tool, input, skill?.path, await digestOf(opened.skills, skill)]));
    const answer = this.#answer(about, context);
    if (answer !== undefined) return { opened: await host.open(answer) };
    const requestState = await this.#codec.mint({ id: crypto.randomUUID(), about }, context);
    const approval = inputRequired.elicit({ message: ask(tool, input, skill), requestedSchema: form });
    return { question: inputRequired({ inputRequests: { [key]: approval }, requestState }) };
  }

  /** Undefined where the question has to be asked, or asked again: the skill or the request is no longer the same. */
  #answer(about: string, { mcpReq }: ServerContext): "yes" | "no" | undefined {
    const question = mcpReq.requestState<Question>();
    const response = inputResponse(mcpReq.inputResponses, key);
    if (question?.about !== about || response.kind !== "elicit" || this.#isUsed(question.id)) return undefined;
    return acceptedContent(mcpReq.inputResponses, key, form)?.allow === true ? "yes" : "no";
  }

  #isUsed(id: string): boolean {
    const now = Date.now();
    for (const [each, until] of this.#used) {
      if (until > now) break;
      this.#used.delete(each);
    }
    if (this.#used.has(id)) return true;
    this.#used.set(id, now + waitSeconds * 1000);
    return false;
  }
}

function findSkill(skills: Skills, input: unknown): Skill | undefined {
  const { name } = Object(input) as { readonly name?: unknown };
  return typeof name === "string" ? skills.find(name) : undefined;
}

/** Of every file, so that a yes is for what the person could have looked at. */
async function digestOf(skills: Skills, skill: Skill | undefined): Promise<string | undefined> {
  if (skill === undefined) return undefined;
  try {
    return await skills.digest(skill);
  } catch (error) {
    // Too many or too large files for one: its instructions are what is loaded.
    if (error instanceof SkillError) return skills.hash(skill);
    throw error;
  }
}

// What is longer than this nobody reads in a dialogue.
const mostShown = 500;

function ask(tool: string, input: unknown, skill: Skill | undefined): string {
  const given = JSON.stringify(input);
  const shown = given.length > mostShown ? `${given.slice(0, mostShown)}…` : given;
  const place = skill === undefined ? "" : ` of the skill "${skill.name}" (${skill.path})`;
  const question = `A rule asks for your yes: ${tool}${place}, with ${shown}. It counts once.`;
  return dropHidden(question.replace(/\s+/g, " "));
}

function encode(value: unknown): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(value));
}

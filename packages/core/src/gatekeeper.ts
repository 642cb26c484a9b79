import type { LedgerAnswer, LedgerDecision } from "./ledger.ts";
import {
  type Asked,
  coversScript,
  describeDecision,
  type Judgement,
  judgeRequest,
  type PermissionRequest,
  type Permissions,
  refuseRequest,
} from "./permissions.ts";
import type { Skill } from "./skill.ts";

/** Where a conversation keeps its answers and what was decided in it. */
export interface DecisionBook {
  answers(): readonly LedgerAnswer[];
  addAnswer(answer: LedgerAnswer): void;
  addDecision(decision: LedgerDecision): void;
}

/** Lets requests of one conversation pass, asks, or refuses; every decision is written down. */
export class Gatekeeper {
  readonly #permissions: Permissions;
  readonly #confirm: readonly string[];
  readonly #book: DecisionBook;
  readonly #audience: "models" | "people";

  constructor(
    permissions: Permissions,
    confirm: readonly string[],
    book: DecisionBook,
    audience: "models" | "people" = "models",
  ) {
    this.#audience = audience;
    this.#permissions = permissions;
    this.#confirm = confirm;
    this.#book = book;
  }

  /** What would become of a request, without asking anybody. */
  judge(request: PermissionRequest): Judgement {
    const judged = judgeRequest(this.#permissions.rules, request, this.#confirm);
    return judged.verdict === "ask" && this.#isAnswered(request) ? { ...judged, verdict: "allowed" } : judged;
  }

  /** Throws a `SkillError` where the request may not pass; what a person asks for needs no second yes. */
  async check(request: PermissionRequest, by: "model" | "person" = "model"): Promise<void> {
    const judged = judgeRequest(this.#permissions.rules, request, this.#confirm);
    const asked = judged.verdict === "ask" ? await this.#ask(request, by) : undefined;
    const named = { ...request, tool: this.#permissions.nameOf?.(request.tool) ?? request.tool };
    const decision = describeDecision(named, judged, asked);
    this.#book.addDecision(decision);
    this.#permissions.log?.(decision);
    if (decision.decision === "denied") throw refuseRequest(named, judged, { asked, audience: this.#audience });
  }

  /** The doors that somebody opened for good, or for this conversation, for a skill whose files are these. */
  grantsOf(tool: string, skill: Skill, digest: string): readonly string[] {
    const rules = this.#permissions.rules.filter((rule) => rule.decision === "allow" && rule.tool === tool);
    const answers = this.#book.answers().filter((each) => each.tool === tool && each.path === skill.path);
    const own = [...rules, ...answers].filter((each) => each.digest === digest);
    return [...new Set(own.flatMap(({ grants = [] }) => grants))];
  }

  async #ask(request: PermissionRequest, by: "model" | "person"): Promise<Asked> {
    const { ask, remember } = this.#permissions;
    if (by === "person") return { answer: true, by };
    if (this.#isAnswered(request)) return { answer: true, by: "answer" };
    if (ask === undefined) return { answer: false, by: "nobody" };
    const answer = await ask(request);
    if (answer === "session" || answer === "always") this.#book.addAnswer(toAnswer(request));
    if (answer === "always") await remember?.(request);
    return { answer, by: "person" };
  }

  #isAnswered(request: PermissionRequest): boolean {
    const { tool, path, digest } = toAnswer(request);
    return this.#book.answers().some((each) => {
      return each.tool === tool && each.path === path && each.digest === digest && coversScript(each, request.script);
    });
  }
}

function toAnswer({ tool, skill, script }: PermissionRequest): LedgerAnswer {
  const own = script && { digest: script.digest, grants: script.grants };
  return { tool, path: skill?.path ?? "", ...own };
}

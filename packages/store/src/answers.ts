import { join } from "node:path";
import { SkillError } from "@skillholm/core";
import { stateFolder } from "./folders.ts";
import { createStateFile } from "./state-file.ts";

/** What a person answered about a tool, to be remembered: for one skill, or for all where none is named. */
export interface Answer {
  readonly decision: "allow" | "deny";
  readonly tool: string;
  readonly skill_name?: string;
  /** Of a yes to scripts: while every file of the skill is as it was, and with these doors of the sandbox open. */
  readonly digest?: string;
  readonly grants?: readonly string[];
}

/** Answers that a person does not want to give again. */
export interface AnswerStore {
  list(): readonly Answer[];
  /** Once each; the opposite answer is replaced. */
  add(answer: Answer): Promise<void>;
  /** Whether it was there. */
  remove(answer: Answer): Promise<boolean>;
}

type Subject = Omit<Answer, "decision">;
type Answers = Readonly<Record<Answer["decision"], readonly Subject[]>>;

const none: Answers = { allow: [], deny: [] };

export function createAnswerStore(folder: string = stateFolder()): AnswerStore {
  const file = createStateFile(join(folder, "permissions.json"), none, checkAnswers);
  return {
    list: () => {
      const { allow, deny } = file.read();
      return [...allow.map((each) => withDecision("allow", each)), ...deny.map((each) => withDecision("deny", each))];
    },
    add: async ({ decision, ...given }) => {
      const subject = checkGiven(given);
      const opposite = decision === "allow" ? "deny" : "allow";
      const before = file.read();
      if (has(before[decision], subject) && !has(before[opposite], subject)) return;
      await file.update((now) => {
        const { allow, deny } = without(without(now, opposite, subject), decision, subject);
        return decision === "allow" ? { allow: [...allow, subject], deny } : { allow, deny: [...deny, subject] };
      });
    },
    remove: async ({ decision, ...subject }) => {
      let found = has(file.read()[decision], subject);
      if (!found) return false;
      await file.update((now) => {
        found = has(now[decision], subject);
        return without(now, decision, subject);
      });
      return found;
    },
  };
}

function withDecision(decision: Answer["decision"], subject: Subject): Answer {
  return { decision, ...subject };
}

function isSame(a: Subject, b: Subject): boolean {
  const doors = ({ grants = [] }: Subject) => grants.toSorted().join("\0");
  return a.tool === b.tool && a.skill_name === b.skill_name && a.digest === b.digest && doors(a) === doors(b);
}

function has(subjects: readonly Subject[], subject: Subject): boolean {
  return subjects.some((each) => isSame(each, subject));
}

function without({ allow, deny }: Answers, decision: Answer["decision"], subject: Subject): Answers {
  const drop = (subjects: readonly Subject[]) => subjects.filter((each) => !isSame(each, subject));
  return decision === "allow" ? { allow: drop(allow), deny } : { allow, deny: drop(deny) };
}

// What was written must be readable the next time.
function checkGiven({ tool, skill_name, digest, grants = [] }: Subject): Subject {
  const subject = {
    tool,
    ...(skill_name !== undefined && { skill_name }),
    ...(digest !== undefined && { digest, grants }),
  };
  if (isSubject(subject)) return subject;
  throw new SkillError("invalid-input", "An answer should name a tool, and a skill or none.");
}

function checkAnswers(value: unknown): Answers {
  const { allow, deny, ...more } = Object(value) as Record<string, unknown>;
  if (!isSubjects(allow) || !isSubjects(deny)) {
    throw new Error('"allow" and "deny" should be lists of { "tool", "skill_name" }');
  }
  const [unknown] = Object.keys(more);
  if (unknown !== undefined) throw new Error(`"${unknown}" should not be there, only "allow" and "deny"`);
  return { allow, deny };
}

function isSubjects(value: unknown): value is readonly Subject[] {
  return Array.isArray(value) && value.every(isSubject);
}

// A key that is not known is refused: a misspelt "skill_name" would make an answer about one skill one about all.
function isSubject(value: unknown): value is Subject {
  const { tool, skill_name = "all", digest = "any", grants = [], ...more } = Object(value) as Record<string, unknown>;
  const texts = [tool, skill_name, digest, ...(Array.isArray(grants) ? grants : [undefined])];
  return texts.every((text) => typeof text === "string" && text !== "") && Object.keys(more).length === 0;
}

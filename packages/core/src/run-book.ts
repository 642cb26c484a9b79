import type { ScriptApproval } from "./permissions.ts";
import type { ScriptFile } from "./runner.ts";
import type { Skill } from "./skill.ts";
import { Toolsets } from "./toolsets.ts";

/** What a script left, as long as its conversation remembers it. */
interface KeptRun {
  readonly skill: Skill;
  readonly files: readonly ScriptFile[];
}

// A model looks at the latest; each may hold megabytes.
const mostKept = 8;

/** What a conversation remembers of its scripts. */
export class RunBook {
  readonly #runs = new Map<string, KeptRun>();
  readonly #asked = new Map<string, string>();
  readonly toolsets = new Toolsets();
  #count = 0;

  /** Keeps what a run left, and says what it is called from now on. */
  keep(skill: Skill, files: readonly ScriptFile[]): string {
    const reference = `run-${++this.#count}`;
    this.#runs.set(reference, { skill, files });
    const [oldest] = this.#runs.keys();
    if (this.#runs.size > mostKept && oldest !== undefined) this.#runs.delete(oldest);
    return reference;
  }

  get(reference: string): KeptRun | undefined {
    return this.#runs.get(reference);
  }

  /** Somebody is being asked about a call of a skill that is so now. */
  ask(skill: Skill, script: string, args: readonly string[], digest: string): void {
    this.#asked.set(keyOf(skill, script, args), digest);
  }

  /** Whether a call is the one that somebody was asked about, to the byte; also where nobody was. */
  isAsAsked(skill: Skill, { script, args, digest }: ScriptApproval): boolean {
    return (this.#asked.get(keyOf(skill, script, args)) ?? digest) === digest;
  }
}

function keyOf({ path }: Skill, script: string, args: readonly string[]): string {
  return JSON.stringify([path, script, args]);
}

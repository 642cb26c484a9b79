import type { Diagnostic } from "./diagnostic.ts";
import { SkillError } from "./error.ts";
import { digestOf } from "./load.ts";
import { resourcePath } from "./resources.ts";
import { approveRun, checkRunner, failureOf, type Surroundings } from "./scripts.ts";
import type { Skill } from "./skill.ts";
import { parseAnswer, parseTools, type ToolFacts, writeRequest } from "./toolset-wire.ts";

/** A tool that a skill brings itself, for the conversation in which it is active. */
export interface OwnTool extends ToolFacts {
  readonly skill: Skill;
  /** Throws a `SkillError` where the toolset ended, or the tool says that it failed. */
  call(input: unknown): Promise<OwnToolResult>;
}

export interface OwnToolResult {
  readonly content: string;
  readonly structured?: object;
}

/** A module of a skill, and what of it holds the tools. */
interface ToolsetPlace {
  readonly module: string;
  readonly export: string;
}

const endings = ["", ".ts", ".mts", ".js", ".mjs", ".cjs"];
const callMs = 30_000;

/** The toolsets of one conversation's active skills. Each request has a process of its own: none can spoil the next. */
export class Toolsets {
  readonly #tools = new Map<string, readonly OwnTool[]>();
  readonly #problems = new Map<string, Diagnostic>();

  tools(): readonly OwnTool[] {
    return [...this.#tools.values()].flat();
  }

  problems(): readonly Diagnostic[] {
    return [...this.#problems.values()];
  }

  /** Those of every skill that is active, by its path. */
  async openAll(about: Surroundings, active: readonly { readonly path: string }[]): Promise<void> {
    const paths = new Set(active.map(({ path }) => path));
    for (const skill of about.skills.catalog.skills) if (paths.has(skill.path)) await this.open(about, skill);
  }

  /** Opens the toolsets of a skill that are not open; what is refused is a diagnostic, and the rest goes on. */
  async open(about: Surroundings, skill: Skill): Promise<void> {
    for (const entry of skill.fields.toolsets ?? []) {
      const key = `${skill.path}\0${entry}`;
      if (this.#tools.has(key)) continue;
      try {
        this.#tools.set(key, await this.#load(about, skill, entry, key));
        this.#problems.delete(key);
      } catch (error) {
        if (!(error instanceof SkillError)) throw error;
        this.#refuse(about, skill, key, `its toolset "${entry}" is not loaded: ${error.message}`);
      }
    }
  }

  #refuse({ warn }: Surroundings, { name, path }: Skill, key: string, message: string): void {
    this.#tools.delete(key);
    this.#problems.set(key, { code: "toolset-refused", severity: "warning", path, message });
    warn(`${name}: ${message}`);
  }

  async #load(about: Surroundings, skill: Skill, entry: string, key: string): Promise<readonly OwnTool[]> {
    const { skills, runner } = about;
    if (!skill.root.trusted) throw new SkillError("skill-untrusted", "nobody has trusted the skill");
    const { sandbox } = await checkRunner(about, skill);
    const hashes = await skills.fileHashes(skill);
    const place = findModule(entry, Object.keys(hashes));
    const interpreter = runner.toolsetHost();
    const request = { script: place.module, interpreter, hashes, args: [place.export], inputs: [], sandbox };
    const { digest, grants } = await approveRun(about, skill, request);
    const ask = async (method: string, params: object): Promise<object> => {
      const now = await skills.fileHashes(skill);
      if ((await digestOf(now)) !== digest) throw new SkillError("script-not-allowed", "its skill has changed since");
      const outcome = await runner.run({
        ...{ ...request, name: skill.name, dir: skill.dir, grants, timeoutMs: callMs, workspace: "scratch" },
        stdin: writeRequest(method, params),
        read: (file) => skills.read(skill, file),
      });
      const answer = parseAnswer(outcome.stdout);
      if (answer !== undefined) return answer;
      const why = failureOf(outcome)?.message ?? "It gave no answer.";
      throw new SkillError("script-failed", `${why} ${outcome.stderr.trim().slice(0, 1000)}`.trim());
    };
    const facts = parseTools(await ask("tools/list", {}));
    const call = async (name: string, input: unknown) => {
      try {
        return toResult(await ask("tools/call", { name, arguments: input ?? {} }));
      } catch (error) {
        // What a tool itself says is its answer; what ends its process ends the toolset.
        const { code, message, details } = error as SkillError;
        if (details?.answered !== true && code !== undefined) {
          this.#refuse(about, skill, key, `its toolset "${entry}" was ended: ${message}`);
        }
        throw error;
      }
    };
    return facts.map((tool) => ({ ...tool, skill, call: (input) => call(tool.name, input) }));
  }
}

/** `toolsets/index:MyToolset`: a file of the skill, whose ending may be left out, and one of its exports. */
function findModule(entry: string, files: readonly string[]): ToolsetPlace {
  const [, path = "", name = ""] = /^(.+):([\w$]+)$/s.exec(entry.trim()) ?? [];
  if (path === "")
    throw new SkillError("invalid-input", "it should be a file and an export, as toolsets/index:MyToolset");
  const file = resourcePath(path);
  const module = endings.map((ending) => file + ending).find((each) => files.includes(each));
  if (module === undefined) throw new SkillError("resource-not-found", `the skill has no file "${file}"`);
  return { module, export: name };
}

function toResult(answer: object): OwnToolResult {
  const { content, structuredContent, isError } = answer as Readonly<Record<string, unknown>>;
  const items = Array.isArray(content) ? content : [];
  const text = items.flatMap((item) => (typeof Object(item).text === "string" ? [Object(item).text as string] : []));
  if (isError === true) throw new SkillError("script-failed", text.join("\n") || "It failed.", { answered: true });
  const isData = typeof structuredContent === "object" && structuredContent !== null;
  return { content: text.join("\n"), ...(isData && { structured: structuredContent }) };
}

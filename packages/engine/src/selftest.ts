import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { layoutRoots, SkillError } from "@skillholm/core";
import type { ToolCall } from "@skillholm/profiles";
import { createEngine } from "./engine.ts";
import type { Engine } from "./engine-api.ts";

/** What became of one step of the conformance skill's procedure. */
export interface SelftestStep {
  readonly step: number;
  readonly name: string;
  readonly status: "passed" | "failed" | "not-applicable";
  readonly detail: string;
}

export interface SelftestReport {
  readonly profile: string;
  /** No step failed. */
  readonly passed: boolean;
  readonly steps: readonly SelftestStep[];
}

const skill = "skills-system-validation";

/** Where each profile expects the skill, and the calls with which a model uses it. */
interface Doors {
  readonly place: string;
  readonly load: ToolCall;
  /** Absent: its models read files by other means than ours. */
  read?(path: string): ToolCall;
  /** The same for a path that must be refused, where that goes elsewhere. */
  readBad?(path: string): ToolCall;
  /** The call that runs the script; `command`: it has scripts, and no tool of its own for them. */
  readonly run?: ToolCall | "command";
}

const own = { load: { name: "activate_skill", input: { name: skill } }, read: readOwn };

const doors: Readonly<Record<string, Doors>> = {
  standard: {
    place: ".agents/skills",
    ...own,
    run: { name: "run_skill_script", input: { name: skill, script: "scripts/echo.sh" } },
  },
  remcochat: {
    place: ".skills",
    run: "command",
    load: { name: "skills.activate", input: { name: skill } },
    read: (path) => ({ name: "skills.readResource", input: { name: skill, path } }),
  },
  codelia: { place: ".agents/skills", load: { name: "skill_load", input: { name: skill } } },
  "agent-base": {
    place: ".agent/skills",
    ...own,
    run: { name: "script_run", input: { skill_name: skill, script_name: "echo.sh" } },
  },
  mycodeagent: { place: "skills", load: { name: "Skill", input: { name: skill } } },
  smallebot: {
    place: ".agents/skills",
    load: { name: "ReadFile", input: { path: `.agents/skills/${skill}/SKILL.md` } },
    read: (path) => ({ name: "ReadFile", input: { path: `.agents/skills/${skill}/${path}` } }),
    readBad: (path) => ({ name: "ReadFile", input: { path } }),
  },
};

function readOwn(path: string): ToolCall {
  return { name: "read_skill_resource", input: { name: skill, path } };
}

/** Lays the conformance skill out as a profile expects it, walks its procedure as a model would, and cleans up. */
export async function runSelftest(profile: string): Promise<SelftestReport> {
  const door = doors[profile];
  if (door === undefined) throw new SkillError("invalid-input", `There is no profile "${profile}".`);
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "skillholm-selftest-")));
  try {
    const engine = await layOut(folder, profile, door);
    const steps: SelftestStep[] = [];
    for (const [index, [name, walk]] of procedure.entries())
      steps.push(await take(index + 1, name, () => walk(engine, door)));
    return { profile, passed: steps.every(({ status }) => status !== "failed"), steps };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function layOut(folder: string, profile: string, { place }: Doors): Promise<Engine> {
  const [bundled] = layoutRoots({ places: [{ in: "bundled", path: "", scope: "system", writable: false }] });
  const project = join(folder, "project");
  mkdirSync(join(folder, "home"));
  mkdirSync(join(project, place), { recursive: true });
  cpSync(join(bundled?.path ?? "", skill), join(project, place, skill), { recursive: true });
  if (profile === "remcochat") writeFileSync(join(project, "config.toml"), "[app.skills]\nenabled = true\n");
  const at = (name: string) => join(folder, name);
  const places = { XDG_CONFIG_HOME: at("config"), XDG_STATE_HOME: at("state"), XDG_DATA_HOME: at("data") };
  const env = { PATH: process.env.PATH, HOME: at("home"), XDG_CACHE_HOME: at("cache"), ...places };
  const engine = createEngine({ cwd: project, env, flags: { profile } });
  if (profile === "standard") await engine.trust.add(project);
  return engine;
}

type Walk = (engine: Engine, door: Doors) => Promise<string>;

/** A step that this profile does not have. */
class NotApplicable extends Error {}

const procedure: readonly (readonly [name: string, walk: Walk])[] = [
  ["metadata only", showMetadata],
  ["activate", activate],
  ["read resources", readResources],
  ["refuse bad paths", refusePaths],
  ["run the script", runScript],
];

async function take(step: number, name: string, walk: () => Promise<string>): Promise<SelftestStep> {
  try {
    return { step, name, status: "passed", detail: await walk() };
  } catch (error) {
    const status = error instanceof NotApplicable ? "not-applicable" : "failed";
    return { step, name, status, detail: (error as Error).message };
  }
}

const marker = "Validation procedure";

async function showMetadata(engine: Engine): Promise<string> {
  const { text } = await engine.prompt();
  if (!text.includes(skill)) throw new Error(`the prompt does not name ${skill}`);
  if (text.includes(marker)) throw new Error("the prompt holds the skill's instructions");
  return "the prompt names the skill and holds none of its instructions";
}

async function activate(engine: Engine, { load }: Doors): Promise<string> {
  const { text, isError } = await engine.callTool(load, { answer: "once" });
  if (isError || !text.includes(marker)) throw new Error(`${load.name} gave no instructions: ${text.slice(0, 200)}`);
  return `${load.name} gave the instructions`;
}

const resources = [
  ["references/REFERENCE.md", "REMCOCHAT_SKILLS_CONFORMANCE_REFERENCE_v1"],
  ["assets/fixture.json", skill],
  ["scripts/echo.sh", "REMCOCHAT_SKILLS_SCRIPT_OK"],
] as const;

async function readResources(engine: Engine, { read }: Doors): Promise<string> {
  if (read === undefined) throw new NotApplicable("its models read files by other means");
  const extensions = engine.config().get("skills.read_file_extensions") as string[];
  const isServed = (path: string) => read(path).name !== "ReadFile" || extensions.some((each) => path.endsWith(each));
  const served = resources.filter(([path]) => isServed(path));
  for (const [path, wanted] of served) {
    const { text, isError } = await engine.callTool(read(path));
    if (isError || !text.includes(wanted)) throw new Error(`${path} was not given: ${text.slice(0, 200)}`);
  }
  return `gave ${served.map(([path]) => path).join(", ")}`;
}

const badPaths = ["../SKILL.md", "/etc/passwd", "references/../../../../etc/passwd"];

async function refusePaths(engine: Engine, { read, readBad = read }: Doors): Promise<string> {
  if (readBad === undefined) throw new NotApplicable("its models read files by other means");
  for (const path of badPaths) {
    const { isError } = await engine.callTool(readBad(path));
    if (!isError) throw new Error(`${path} was given`);
  }
  return `refused ${badPaths.join(", ")}`;
}

const scriptMark = "REMCOCHAT_SKILLS_SCRIPT_OK";

async function runScript(engine: Engine, { run }: Doors): Promise<string> {
  if (run === undefined) throw new NotApplicable("its models run no scripts");
  const { sandbox, problem } = await engine.sandbox();
  if (problem !== undefined) throw new NotApplicable(problem);
  if (run === "command") {
    const { output } = await engine.run(skill, "scripts/echo.sh", { answer: "once" });
    const { stdout, stderr, exitCode } = output;
    if (stdout !== `${scriptMark}\n` || exitCode !== 0) throw new Error(`it printed ${stdout.slice(0, 200)}${stderr}`);
    return `scripts/echo.sh ran by the command, in ${sandbox}`;
  }
  const { text, isError } = await engine.callTool(run, { answer: "once" });
  if (isError || !text.includes(scriptMark)) throw new Error(`${run.name} gave: ${text.slice(0, 200)}`);
  return `${run.name} ran scripts/echo.sh, in ${sandbox}`;
}

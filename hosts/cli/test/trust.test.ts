import { mkdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createMachines, type Machine, skill } from "./command.ts";

const machine = createMachines();

/** `name state` of every skill of the project, listed ones first. */
async function projectSkills({ runJson }: Machine, cwd: string): Promise<string[]> {
  const { json } = await runJson(["list"], { cwd });
  const { skills, hidden } = json as Record<"skills" | "hidden", { name: string; scope: string; state?: string }[]>;
  return [...skills, ...hidden]
    .filter((row) => row.scope === "project")
    .map((row) => `${row.name} ${row.state ?? "listed"}`);
}

const project = {
  "project/.git/HEAD": "",
  "project/.agents/skills/top/SKILL.md": skill("top"),
  "project/sub/.agents/skills/below/SKILL.md": skill("below"),
};

describe("trust", () => {
  it("keeps a project's skills waiting until a person says yes, then lists them, and those of folders below", async () => {
    const place = machine(project);
    expect(await projectSkills(place, "project/sub")).toEqual(["top untrusted", "below untrusted"]);
    expect(await place.run(["trust", "--yes"])).toEqual({
      status: 0,
      stdout: `Trusted: ${place.at("project")} and everything below it.\n`,
      stderr: "",
    });
    expect(
      await Promise.all(["project", "project/sub", "project/sub/deep"].map((cwd) => projectSkills(place, cwd))),
    ).toEqual([["top listed"], ["below listed", "top listed"], ["below listed", "top listed"]]);
  });

  it("refuses without --yes and without a terminal, says how, and remembers nothing", async () => {
    const { at, run, runJson } = machine(project);
    const message = `${at("project")} stays untrusted. To trust it without a question, add --yes.`;
    expect(await run(["trust"])).toEqual({ status: 1, stdout: "", stderr: `skillholm: ${message}\n` });
    expect(await runJson(["trust"])).toEqual({ status: 1, json: { error: { code: "skill-untrusted", message } } });
    expect(await runJson(["trust", "--list"])).toEqual({ status: 0, json: { folders: [] } });
  });

  it("means the whole project from any folder of it", async () => {
    const place = machine(project);
    expect(await place.runJson(["trust", "--yes"], { cwd: "project/sub" })).toEqual({
      status: 0,
      json: { folder: place.at("project"), trusted: true },
    });
    expect(await projectSkills(place, "project")).toEqual(["top listed"]);
  });

  it("means only the folder that is named, and what lies below it", async () => {
    const place = machine({
      ...project,
      "project/sub/deep/.agents/skills/deep/SKILL.md": skill("deep"),
      "project/sub-other/.agents/skills/beside/SKILL.md": skill("beside"),
    });
    await place.run(["trust", "sub", "--yes"]);
    expect(
      await Promise.all(["project/sub/deep", "project/sub-other"].map((cwd) => projectSkills(place, cwd))),
    ).toEqual([
      ["deep listed", "below listed", "top untrusted"],
      ["top untrusted", "beside untrusted"],
    ]);
  });

  it("lists what is trusted, once each and in order, and takes it back with --revoke", async () => {
    const place = machine({ ...project, "another/.git/HEAD": "" });
    const { at, run, runJson } = place;
    await run(["trust", "--yes"]);
    await run(["trust", "--yes"], { cwd: "project/sub" });
    await run(["trust", "../another", "--yes"]);
    const folders = [at("another"), at("project")];
    expect(await run(["trust", "--list"])).toEqual({ status: 0, stdout: `${folders.join("\n")}\n`, stderr: "" });
    expect(await run(["trust", "--revoke"], { cwd: "project/sub" })).toEqual({
      status: 0,
      stdout: `No longer trusted: ${at("project")}\n`,
      stderr: "",
    });
    expect(await runJson(["trust", "--revoke", at("another")])).toEqual({
      status: 0,
      json: { folder: at("another"), trusted: false },
    });
    expect(await runJson(["trust", "--list"])).toEqual({ status: 0, json: { folders: [] } });
    expect(await projectSkills(place, "project")).toEqual(["top untrusted"]);
  });

  it("says which folders are trusted when the one to revoke is not", async () => {
    const { at, run, runJson } = machine(project);
    await run(["trust", "--yes"]);
    const { status, json } = await runJson(["trust", "--revoke", "../another"]);
    expect(status).toBe(1);
    expect(json).toMatchObject({
      error: { message: `${at("another")} was not trusted by itself. Trusted: ${at("project")}.` },
    });
  });

  it("does not take the home folder for a project", async () => {
    const { runJson, at } = machine({ "home/.git/HEAD": "", "home/work/x.txt": "" });
    expect((await runJson(["trust", "--yes"], { cwd: "home" })).status).toBe(2);
    expect(await runJson(["trust", "--yes"], { cwd: "home/work" })).toEqual({
      status: 0,
      json: { folder: at("home/work"), trusted: true },
    });
  });

  it("remembers the real folder, so that a link to it is trusted and a link out of it is not", async () => {
    const place = machine({ ...project, "evil/.agents/skills/evil/SKILL.md": skill("evil") });
    symlinkSync(place.at("project"), place.at("link"));
    symlinkSync(place.at("evil"), place.at("project/out"));
    await place.run(["trust", "link", "--yes"], { cwd: "." });
    expect(await place.runJson(["trust", "--list"])).toMatchObject({ json: { folders: [place.at("project")] } });
    expect(await projectSkills(place, "project/out")).toEqual(["evil untrusted"]);
  });

  it("keeps a root that links out of its project unread, trusted or not", async () => {
    const { at, run, runJson } = machine({ "project/.git/HEAD": "", "evil/evil/SKILL.md": skill("evil") });
    mkdirSync(at("project/.agents"));
    symlinkSync(at("evil"), at("project/.agents/skills"));
    await run(["trust", "--yes"]);
    expect(await runJson(["list"])).toMatchObject({
      json: { hidden: [], diagnostics: [{ code: "root-outside-project", path: at("project/.agents/skills") }] },
    });
  });

  it("does not let a project's skill take a user skill's name before it is trusted", async () => {
    const { at, run, runJson } = machine({ ...project, "home/.agents/skills/top/SKILL.md": skill("top", "Mine.") });
    const pathOfTop = async () => {
      const { json } = await runJson(["show", "top"]);
      return (json as { path: string }).path;
    };
    expect(await pathOfTop()).toBe(at("home/.agents/skills/top/SKILL.md"));
    await run(["trust", "--yes"]);
    expect(await pathOfTop()).toBe(at("project/.agents/skills/top/SKILL.md"));
  });

  it("refuses a folder that is not there", async () => {
    const { at, runJson } = machine({ "project/file": "" });
    const answers = await Promise.all(["missing", "file"].map((dir) => runJson(["trust", dir, "--yes"])));
    expect(answers).toEqual(
      ["missing", "file"].map((dir) => ({
        status: 2,
        json: { error: { code: "invalid-input", message: `There is no folder ${at(`project/${dir}`)}.` } },
      })),
    );
  });

  it("keeps its memory in the XDG state folder, for the user's eyes only", async () => {
    const { at, run } = machine(project);
    await run(["trust", "--yes"]);
    const file = at("state/skillholm/trust.json");
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ folders: [at("project")] });
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it("leaves a damaged memory as it is and says what to do", async () => {
    const { at, run } = machine({ ...project, "state/skillholm/trust.json": '{"folders":' });
    const { status, stdout, stderr } = await run(["trust", "--yes"]);
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toContain(`${at("state/skillholm/trust.json")} cannot be read`);
    expect(stderr).toContain("Mend it, or delete it to start anew.\n");
    expect(readFileSync(at("state/skillholm/trust.json"), "utf8")).toBe('{"folders":');
  });
});

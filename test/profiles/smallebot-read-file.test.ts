import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, symlinkSync, truncateSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createMachines, type Machine, skill } from "../../hosts/cli/test/command.ts";
import { layEntries } from "../support/tree.ts";
import { callIn, once, openRpc, promptOf } from "./smallebot.ts";

const machine = createMachines();
const own = ["--profile", "smallebot"];

/** Reads many paths in one program that goes on. */
function openReader(on: Machine, options: Parameters<typeof openRpc>[1] = {}) {
  const rpc = openRpc(on, options);
  return async (path: string): Promise<string> => {
    const { content } = (await rpc("tools.call", { name: "ReadFile", input: { path } })) as { content: string };
    return content;
  };
}

const allowed = [".md", ".cs", ".py", ".txt", ".json", ".yml", ".yaml"];
const outside = "Error: the path must stay under the run directory; give it relative to that.";
const extension = `Error: only files with these extensions can be read: ${allowed.join(", ")}.`;

describe("smallebot: ReadFile", () => {
  const text = "\tline one\r\nzwei ü 漢字 \u{1f600}\n\n<b>&amp;</b> </skill>\nno end";
  const base = machine({
    "project/README.md": text,
    "project/.agents/sys.skills/meta/SKILL.md": skill("Meta", "About.", "SYSTEM BODY"),
    "project/.agents/skills/weekly/SKILL.md": skill("Weekly", "Weekly.", "WEEKLY BODY"),
    "project/.agents/skills/weekly/script.py": "print('WEEKLY SCRIPT')\n",
    "project/.agents/skills/broken/SKILL.md": "---\nname: broken\n\nBROKEN BODY\n",
    ...Object.fromEntries(allowed.map((end) => [`project/files/a${end}`, `text of ${end}`])),
    "project/files/LOUD.MD": "LOUD",
    "project/files/a.exe": "MZ",
    "project/files/a.sh": "echo",
    "project/files/plain": "plain",
    "project/files/.md": "dot md",
    "project/files/nul.txt": "a\0b",
    "project-evil/x.md": "SIBLING",
    "outside.md": "OUTSIDE",
  });
  const offered = once(async () => {
    const { json } = await base.runJson(["tool", ...own]);
    return (json as { tools: { name: string; description: string; inputSchema: object }[] }).tools;
  });

  it("S4-3, S4-51 is the one tool, also where there is no skill", async () => {
    expect((await offered()).map(({ name }) => name)).toEqual(["ReadFile"]);
    const empty = await base.runJson(["tool", ...own, "--root", base.at("project/files")]);
    expect(empty.json).toMatchObject({ tools: [{ name: "ReadFile" }] });
  });

  it("S4-26 takes one text: the path", async () => {
    const [tool] = await offered();
    expect(tool?.inputSchema).toMatchObject({ type: "object", required: ["path"] });
    const { properties = {} } = (tool?.inputSchema ?? {}) as { properties?: Record<string, { type: string }> };
    expect(Object.entries(properties).map(([key, { type }]) => [key, type])).toEqual([["path", "string"]]);
    for (const input of ["{}", '{"path":""}', '{"path":7}', "[]", "null"]) {
      const { status, json } = await base.runJson(["tool", "ReadFile", input, ...own]);
      expect({ status, json }).toEqual({ status: 1, json: expect.stringMatching(/^Error: The input is wrong\. /) });
    }
  });

  it("S4-9, S4-34 gives what the prompt does not: instructions and scripts of both kinds of skills", async () => {
    const { text: prompt } = await promptOf(base);
    const read = openReader(base);
    for (const [path, marker] of [
      [".agents/sys.skills/meta/SKILL.md", "SYSTEM BODY"],
      [".agents/skills/weekly/SKILL.md", "WEEKLY BODY"],
      [".agents/skills/weekly/script.py", "WEEKLY SCRIPT"],
    ] as const) {
      expect(prompt).not.toContain(marker);
      expect(await read(path)).toContain(marker);
    }
    expect(await read(".agents/skills/weekly/script.py")).toBe("print('WEEKLY SCRIPT')\n");
  });

  it("S4-25, S4-35, S4-31 reads any file below the run directory, and gives its text unchanged", async () => {
    expect(await callIn(base, "README.md")).toEqual({ status: 0, text });
    const { stdout } = await base.run(["tool", "ReadFile", '{"path":"README.md"}', ...own]);
    expect(stdout).toBe(`${text}\n`);
    const read = openReader(base);
    for (const path of ["./README.md", ".//README.md"]) {
      expect(await read(path)).toBe(text);
    }
  });

  it("S4-28, S4-30 reads files with the allowed extensions in any case, and says which those are", async () => {
    const read = openReader(base);
    for (const end of allowed) expect(await read(`files/a${end}`)).toBe(`text of ${end}`);
    expect(await read("files/LOUD.MD")).toBe("LOUD");
    for (const path of ["files/a.exe", "files/plain", "files/a.sh", "files/a.md.exe", "files", "files/a.exe?.md/x"]) {
      expect(await read(path)).toBe(extension);
    }
    expect((await offered())[0]?.description).toContain(allowed.join(", "));
  });

  it("S4-29 the extensions can be configured, by the user and not by a project", async () => {
    const list = '[skills]\nread_file_extensions = [".md", ".sh"]\n';
    const files = { "project/a.sh": "echo", "project/a.py": "print", "project/.git/HEAD": "" };
    const on = machine({ ...files, "home/.config/skillholm/config.toml": list });
    expect(await callIn(on, "a.sh")).toEqual({ status: 0, text: "echo" });
    const refused = "Error: only files with these extensions can be read: .md, .sh.";
    expect(await callIn(on, "a.py")).toEqual({ status: 1, text: refused });
    const strange = machine({ ...files, "project/skillholm.toml": list });
    expect((await strange.run(["tool", "ReadFile", '{"path":"a.sh"}', ...own])).stdout).not.toContain("echo");
  });

  it("S4-32 a missing file, a bad path and a bad extension each have a short text of their own", async () => {
    expect(await callIn(base, "files/none.md")).toEqual({
      status: 1,
      text: 'Error: there is no file "files/none.md".',
    });
    expect(await callIn(base, "../outside.md")).toEqual({ status: 1, text: outside });
    expect(await callIn(base, "files/a.exe")).toEqual({ status: 1, text: extension });
    const read = openReader(base);
    for (const path of [
      ".agents/skills/weekly/none.md",
      "README.md/x.md",
      "files/nul.txt",
      `${"d/".repeat(2000)}x.md`,
      `${"n".repeat(300)}.md`,
    ]) {
      expect(await read(path)).toMatch(/^Error: [^\n]+$/);
    }
  });

  it("S4-27, S4-76 nothing leads out of the run directory", async () => {
    layEntries(base.at("project"), {
      "out.md": { link: "../outside.md" },
      "out-folder": { link: ".." },
      "out-sibling": { link: "../project-evil" },
      "device.txt": { link: "/dev/zero" },
      "proc.txt": { link: "/proc/self/environ" },
      ".agents/skills/weekly/out.md": { link: "../../../../outside.md" },
    });
    const read = openReader(base);
    for (const path of [
      "../outside.md",
      "files/../../outside.md",
      "..",
      "./..//outside.md",
      base.at("outside.md"),
      base.at("project/README.md"),
      "../project-evil/x.md",
      "~/x.md",
      "C:/x.md",
      "c:x.md",
      "\\\\server\\share\\x.md",
      "..\\outside.md",
      "files\\a.md",
      "README.md\0.md",
    ]) {
      expect({ path, text: await read(path) }).toEqual({ path, text: outside });
    }
    for (const path of [
      "out.md",
      "out-folder/outside.md",
      "out-sibling/x.md",
      "device.txt",
      "proc.txt",
      ".agents/skills/weekly/out.md",
      "%2e%2e/outside.md",
      "..%2foutside.md",
      "%2e%2e%2foutside.md",
      "..%5coutside.md",
      "\uff0e\uff0e/outside.md",
      "..\u2215outside.md",
      "file:///etc/passwd.md",
      ".agents/skills/weekly/%2e%2e/%2e%2e/%2e%2e/%2e%2e/outside.md",
    ]) {
      expect({ path, text: await read(path) }).toEqual({ path, text: expect.stringMatching(/^Error: /) });
    }
  });

  it("S4-72 a file of a folder that is no skill is read all the same", async () => {
    expect((await callIn(base, ".agents/skills/broken/SKILL.md")).text).toContain("BROKEN BODY");
  });
});

describe("smallebot: what ReadFile never serves", () => {
  const secret = "S3CRET";
  const on = machine({
    "home/.config/skillholm/config.toml":
      '# S3CRET\n[skills]\nread_file_extensions = [".md", ".json", ".toml", ".lock", ""]\n',
    "home/.local/state/skillholm/server.json": secret,
    "home/.local/share/skillholm/notes.md": secret,
    "home/open.md": "open",
    "home/.env.json": secret,
    "home/.ENV.md": secret,
    "home/.env.d/a.md": secret,
    "home/.git/config.json": secret,
    "home/.git/.md": secret,
    "home/sub/.Git/x.md": secret,
    "home/.git.../x.md": secret,
    "home/.g\u200cit/x.md": secret,
    "home/GIT~1/x.md": secret,
    "home/skillholm.lock": secret,
    "home/sub/SkillHolm.toml": secret,
    "home/.github/x.md": "github",
    "home/.gitignore.md": "ignore",
    "home/dotenv.md": "dotenv",
    "home/.agents/skills/leaky/SKILL.md": skill("leaky"),
    "home/.agents/skills/leaky/.env.md": secret,
    "home/.agents/skills/leaky/.git/x.md": secret,
    "home/.agents/skills/leaky/open.md": "open",
  });
  layEntries(on.at("home"), {
    ".agents/skills/leaky/link.md": { link: ".env.md" },
    "link.md": { link: ".env.json" },
    "chain.md": { link: "link.md" },
    hist: { link: ".git" },
    mine: { link: ".local/state" },
    "conf.toml": { link: ".config/skillholm/config.toml" },
    "harmless.md": { link: "open.md" },
  });
  const xdg = { XDG_STATE_HOME: "", XDG_DATA_HOME: "" };
  const variants = [
    ".config/skillholm/config.toml",
    ".CONFIG/skillholm/CONFIG.toml",
    ".local/state/skillholm/server.json",
    ".local/./state//skillholm/server.json",
    ".Local/State/SkillHolm/server.json",
    ".local/share/skillholm/notes.md",
    ".env.json",
    ".ENV.md",
    ".env.d/a.md",
    ".git/config.json",
    ".git/.md",
    ".GIT/config.json",
    "sub/.Git/x.md",
    ".git.../x.md",
    ".g\u200cit/x.md",
    "GIT~1/x.md",
    ".git::$INDEX_ALLOCATION/x.md",
    "skillholm.lock",
    "sub/SkillHolm.toml",
    ".agents/skills/leaky/.env.md",
    ".agents/skills/leaky/.git/x.md",
    ".agents/skills/leaky/link.md",
    "link.md",
    "chain.md",
    "hist/config.json",
    "mine/skillholm/server.json",
    "conf.toml",
    "a/../.git/config.json",
    ".%67it/config.json",
    "%2egit/config.json",
    "home/.git/config.json",
  ];

  /** What is there is refused for what it is, not for want of it. */
  const refusalOf = (path: string) =>
    expect.stringMatching(
      existsSync(on.at(`home/${path}`)) && !path.includes("..") ? /^Error: ".*" is not served\.$/ : /^Error: /,
    );

  it("S4-27 our own files, keys and histories, by whatever way, where the run directory is the home folder", async () => {
    const read = openReader(on, { cwd: "home", env: xdg });
    for (const path of variants) expect({ path, text: await read(path) }).toEqual({ path, text: refusalOf(path) });
    for (const [path, text] of Object.entries({
      "open.md": "open",
      "harmless.md": "open",
      ".github/x.md": "github",
      ".gitignore.md": "ignore",
      "dotenv.md": "dotenv",
      ".agents/skills/leaky/open.md": "open",
    })) {
      expect(await read(path)).toBe(text);
    }
  });

  it("S4-27 the same from a folder above the home folder, and where its folders lie behind links", async () => {
    const read = openReader(on, { cwd: ".", env: xdg });
    for (const path of variants) {
      expect({ path, text: await read(`home/${path}`) }).toEqual({ path, text: refusalOf(path) });
    }
    mkdirSync(on.at("synced"));
    renameSync(on.at("home/.local/state"), on.at("synced/state"));
    symlinkSync("../../synced/state", on.at("home/.local/state"));
    renameSync(on.at("home/.config/skillholm/config.toml"), on.at("synced/mine.toml"));
    symlinkSync("../../../synced/mine.toml", on.at("home/.config/skillholm/config.toml"));
    const again = openReader(on, { cwd: ".", env: xdg });
    for (const path of ["synced/state/skillholm/server.json", "synced/mine.toml", "home/mine/skillholm/server.json"]) {
      expect({ path, text: await again(path) }).toEqual({ path, text: `Error: "${path}" is not served.` });
    }
    expect(await again("home/open.md")).toBe("open");
  });

  it("S4-27 a skill that rules deny or that is switched off, by whatever way", async () => {
    const ruled = machine({
      "home/.config/skillholm/config.toml":
        '[skills]\ndisabled = ["off"]\n[[permissions.deny]]\ntool = "ReadFile"\nskill_name = "shut"\n[[permissions.deny]]\ntool = "activate_skill"\nskill_name = "half"\n',
      "project/.agents/skills/shut/SKILL.md": skill("shut", "Shut.", secret),
      "project/.agents/skills/shut/a.md": secret,
      "project/.agents/skills/half/SKILL.md": skill("half", "Half.", secret),
      "project/.agents/skills/half/a.md": "half open",
      "project/.agents/skills/off/SKILL.md": skill("off", "Off.", secret),
    });
    // A name can be any text in this system: also the path of another skill.
    const path = ruled.at("project/.agents/skills/shut/SKILL.md");
    layEntries(ruled.at("project"), {
      ".agents/skills/thief/SKILL.md": skill(JSON.stringify(path), "T.", "STOLEN"),
      way: { link: ".agents/skills" },
      "half.md": { link: ".agents/skills/half/SKILL.md" },
    });
    const read = openReader(ruled);
    for (const path of [
      ".agents/skills/shut/SKILL.md",
      ".agents/skills/shut/a.md",
      "way/shut/SKILL.md",
      "way/shut/a.md",
      ".agents/skills/half/SKILL.md",
      "way/half/SKILL.md",
      "half.md",
      ".agents/skills/off/SKILL.md",
      "way/off/SKILL.md",
    ]) {
      const text = await read(path);
      expect({ path, text }).toEqual({ path, text: expect.stringMatching(/^Error: (?!there is no file)/) });
    }
    expect(await read("way/half/a.md")).toBe("half open");
    expect(await read(".agents/skills/thief/SKILL.md")).toContain("STOLEN");
  });

  it("S4-27 any file, where a rule denies reading or a person must be asked", async () => {
    const rule = (decision: string) =>
      machine({
        "home/.config/skillholm/config.toml": `[[permissions.${decision}]]\ntool = "ReadFile"\n`,
        "project/a.md": secret,
      });
    for (const decision of ["deny", "ask"]) {
      expect(await callIn(rule(decision), "a.md")).toMatchObject({
        status: 1,
        text: expect.not.stringContaining(secret),
      });
    }
    expect(await callIn(rule("ask"), "a.md", "--yes")).toEqual({ status: 0, text: secret });
  });

  it("S4-31 what is no text or too long, is refused at once", async () => {
    const odd = machine({
      "project/long.md": "",
      "project/.agents/skills/a/SKILL.md": skill("a"),
      "project/.agents/skills/a/long.md": "x".repeat(2_000_001),
      "project/.agents/skills/a/most.md": "x".repeat(2_000_000),
      "project/folder.md/x": "",
    });
    truncateSync(odd.at("project/long.md"), 5_000_000_000);
    execFileSync("mkfifo", [odd.at("project/pipe.md"), odd.at("project/.agents/skills/a/pipe.md")]);
    const read = openReader(odd);
    expect(await read("long.md")).toBe('Error: "long.md" has 5000000000 bytes; at most 2000000 are read.');
    const long = 'Error: "long.md" has 2000001 bytes; at most 2000000 are read.';
    expect(await read(".agents/skills/a/long.md")).toBe(long);
    expect(await read(".agents/skills/a/most.md")).toBe("x".repeat(2_000_000));
    for (const path of ["pipe.md", ".agents/skills/a/pipe.md", "folder.md"])
      expect(await read(path)).toMatch(/^Error: /);
  });
});

import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { mycodeagent, smallebot, standard } from "@skillholm/profiles";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createMachines, skill } from "../../hosts/cli/test/command.ts";
import { keepFolder, layEntries } from "../support/tree.ts";
import { all, exactSkill, hostileText, openFolder, openMemory } from "./hostile.ts";
import { openRpc } from "./smallebot.ts";

const machine = createMachines();

/** Every way to ask a profile for a file: its tool and the input for a path. */
const readers: Readonly<Record<string, readonly ((path: string) => readonly [string, object])[]>> = {
  standard: [
    (path) => ["read_skill_resource", { name: "probe", path }],
    (path) => ["read_skill_resource", { name: path, path: "x.md" }],
    (name) => ["activate_skill", { name }],
  ],
  remcochat: [
    (path) => ["skills.readResource", { name: "probe", path }],
    (path) => ["skills.readResource", { name: path, path: "x.md" }],
    (name) => ["skills.activate", { name }],
  ],
  codelia: [
    (path) => ["skill_load", { path }],
    (name) => ["skill_load", { name }],
    (ref) => ["tool_output_cache", { ref }],
  ],
  "agent-base": [
    (path) => ["read_skill_resource", { name: "probe", path }],
    (path) => ["read_skill_resource", { name: path, path: "x.md" }],
    (name) => ["activate_skill", { name }],
  ],
  mycodeagent: [(name) => ["Skill", { name }]],
  smallebot: [(path) => ["ReadFile", { path }], (path) => ["ReadFile", { path: `probe/${path}` }]],
};

const outside = "OUTSIDE";
const inside = "INSIDE";

/** A skill with links to everywhere, a pipe, a socket and neighbours; returns what ends the socket. */
function layProbe(folder: string): () => void {
  layEntries(folder, {
    "outside.md": outside,
    "skills-evil/x.md": outside,
    "elsewhere/SKILL.md": exactSkill("linked", "Not here.", outside),
    "skills/linked": { link: "../elsewhere" },
    "skills/linked-file/SKILL.md": { link: "../../elsewhere/SKILL.md" },
    "skills/notes.md": outside,
    "skills/probe-evil/x.md": outside,
    "skills/probe/SKILL.md": exactSkill("probe", "About it.", inside),
    "skills/probe/references/guide.md": inside,
    "skills/probe/in.md": { link: "references/guide.md" },
    "skills/probe/out.md": { link: "../../outside.md" },
    "skills/probe/absolute.md": { link: join(folder, "outside.md") },
    "skills/probe/up": { link: "../.." },
    "skills/probe/beside": { link: "../probe-evil" },
    "skills/probe/loop.md": { link: "loop.md" },
    "skills/probe/zero.md": { link: "/dev/zero" },
    "skills/probe/tty.md": { link: "/dev/stdin" },
    "skills/probe/environ.md": { link: "/proc/self/environ" },
    "skills/probe/root": { link: "/" },
  });
  execFileSync("mkfifo", [join(folder, "skills/probe/pipe.md"), join(folder, "pipe.md")]);
  const server = createServer().listen(join(folder, "skills/probe/socket.md"));
  return () => void server.close();
}

const piece = (folder: string) =>
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.constantFrom(
        ...["..", ".", "", "references", "guide.md", "SKILL.md", "skill.md", "in.md", "out.md", "absolute.md", "up"],
        ...["beside", "x.md", "loop.md", "zero.md", "tty.md", "environ.md", "root", "pipe.md", "socket.md", "etc"],
        ...[
          "passwd",
          "outside.md",
          "probe",
          "linked",
          "linked-file",
          "probe-evil",
          "skills",
          "skills-evil",
          "notes.md",
          "proc",
          "self",
          "dev",
        ],
      ),
    },
    {
      weight: 2,
      arbitrary: fc.constantFrom(
        ...["%2e%2e", "%2E%2e", "..%2f", "%2f", "..%5c", "%00", "..%c0%af", "..;", "...", ".. ", " ..", "..."],
        ...[
          "\0",
          "x.md\0.png",
          "C:",
          "c:\\",
          "\\\\server\\share",
          "\\\\?\\C:",
          "..\\",
          "..\\..\\outside.md",
          "~",
          "~root",
        ],
        ...["\uff0e\uff0e", "\u2025", "\u2215", "\u2024\u2024", ".\u200b.", "file://", "CON", "nul.md", "x.md::$DATA"],
      ),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom(folder, join(folder, "skills/probe"), `${folder}/skills/probe/..`, "/", "//"),
    },
  );

const paths = (folder: string) =>
  fc
    .tuple(fc.array(piece(folder), { minLength: 1, maxLength: 7 }), fc.constantFrom("/", "/", "/", "//", "\\"))
    .map(([parts, separator]) => parts.join(separator));

describe("no path reads what lies outside", () => {
  const folder = keepFolder();
  let close: (() => void) | undefined;
  beforeAll(() => {
    close = layProbe(folder);
  });
  afterAll(() => close?.());

  it.each(all.map((profile) => [profile.name, profile] as const))("of the skill, in %s", async (name, profile) => {
    const { call } = await openFolder(profile, join(folder, "skills"));
    const known = [
      "in.md",
      "references/guide.md",
      "./references//guide.md",
      "SKILL.md",
      "probe",
      join(folder, "skills/probe/SKILL.md"),
    ];
    const served = new Set<string>();
    const read = async (path: string) => {
      for (const toCall of readers[name] ?? []) {
        const { isError, text } = await call(...toCall(path));
        expect(text).not.toContain(outside);
        // What is no refusal is the skill's own.
        expect([path, isError || text.includes(inside)]).toEqual([path, true]);
        if (!isError) served.add(path);
      }
    };
    for (const path of known) await read(path);
    expect(served.size).toBeGreaterThan(0);
    for (const path of [
      ...["out.md", "absolute.md", "up/outside.md", "beside/x.md", "zero.md", "tty.md", "environ.md", "loop.md"],
      ...["root/etc/passwd", "pipe.md", "socket.md", "../notes.md", "../probe-evil/x.md", "references", "."],
      ...[
        "linked",
        "linked-file",
        "../linked/SKILL.md",
        join(folder, "skills/linked/SKILL.md"),
        join(folder, "elsewhere"),
      ],
    ]) {
      await read(path);
      expect([path, served.has(path)]).toEqual([path, false]);
    }
    await fc.assert(fc.asyncProperty(paths(folder), read), { numRuns: 400 });
  });

  it("of the run directory, in smallebot on the command line", async () => {
    const on = machine({ "project/README.md": inside, "outside.md": outside, "project-evil/x.md": outside });
    const end = layProbe(on.at("project/.agents"));
    layEntries(on.at("project"), {
      "up.md": { link: "../outside.md" },
      up: { link: ".." },
      "zero.md": { link: "/dev/zero" },
    });
    // Here everything but what lies above the project may be read.
    for (const path of [
      "outside.md",
      "elsewhere/SKILL.md",
      "skills-evil/x.md",
      "skills/notes.md",
      "skills/probe-evil/x.md",
    ]) {
      writeFileSync(on.at(`project/.agents/${path}`), inside);
    }
    const rpc = openRpc(on, { args: ["--root", on.at("project/.agents/skills")] });
    const read = async (path: string) => {
      const { content } = (await rpc("tools.call", { name: "ReadFile", input: { path } })) as { content: string };
      expect([path, content]).toEqual([path, expect.stringMatching(/^Error: |INSIDE/)]);
      expect(content).not.toContain(outside);
      return content;
    };
    expect(await read("README.md")).toBe(inside);
    expect(await read(".agents/skills/probe/in.md")).toBe(inside);
    for (const path of ["up.md", "up/outside.md", "up/project-evil/x.md", "zero.md", ".agents/pipe.md"]) {
      expect(await read(path)).toMatch(/^Error: /);
    }
    const path = paths(on.at("project")).chain((tail) =>
      fc.constantFrom("", ".agents/", ".agents/skills/probe/", "up/").map((start) => start + tail),
    );
    await fc.assert(
      fc.asyncProperty(
        path.filter((each) => each !== ""),
        async (each) => void (await read(each)),
      ),
      { numRuns: 400 },
    );
    end();
  });

  it("of the skill, for a person who reads by the command line", async () => {
    for (const profile of ["standard", "remcochat", "codelia", "agent-base", "mycodeagent", "smallebot"]) {
      const env = { SKILLHOLM_SKILLS_ENABLED: "true" };
      for (const path of ["up/outside.md", "pipe.md"]) {
        const args = ["read", "probe", path, "--profile", profile, "--root", join(folder, "skills")];
        const { status, stdout } = await machine({}).run(args, { env });
        expect({ profile, path, status, stdout }).toEqual({ profile, path, status: 1, stdout: "" });
      }
    }
  });
});

/** Text around slots that looks like slots, patterns or replacements and is neither. */
const around = fc
  .array(
    fc.constantFrom(
      ...["$", "$$", "$&", "$1", "$<a>", "$`", "$'", "$ARGUMENT", "$ARGUMENTS_X", "$arguments", "$\u007bARGUMENTS}"],
      ...[" ARGUMENTS: no", "`code`", "\n", "\n\n", "\\", "%s", "{0}", "{{x}}", "a", "ü", "漢", " ", '"', "'"],
    ),
    { maxLength: 6 },
  )
  .map((pieces) => `(${pieces.join("")})`);
const given = fc.oneof(
  hostileText,
  around,
  fc.string({ maxLength: 30 }),
  fc.constantFrom("", " ", "\n", "$ARGUMENTS", "$ARGUMENTS $ARGUMENTS", "ARGUMENTS: x", "---\nname: x\n---"),
);

describe("arguments change nothing but their slots", () => {
  const bodies = fc.array(around, { minLength: 1, maxLength: 4 });
  const filled = (segments: readonly string[], text: string, isKept: boolean) => {
    if (text.trim() === "" && isKept) return segments.join("$ARGUMENTS");
    const ending = segments.length === 1 && text.trim() !== "" ? `\n\nARGUMENTS: ${text}` : "";
    return segments.join(text) + ending;
  };

  it("in mycodeagent, for a model and for a person", async () => {
    await fc.assert(
      fc.asyncProperty(bodies, given, async (segments, args) => {
        const files = { "/s/probe/SKILL.md": exactSkill("probe", "d", segments.join("$ARGUMENTS")) };
        const texts: string[] = [];
        for (const audience of ["models", "people"] as const) {
          const { call } = await openMemory(mycodeagent, files, audience);
          texts.push(JSON.parse((await call("Skill", { name: "probe", args })).text).data.content);
        }
        const content = `Base directory for this skill: probe\n\n${filled(segments, args, true)}`;
        expect(texts).toEqual([content, content]);
      }),
      { numRuns: 300 },
    );
  });

  it("in standard, for a model and for a person", async () => {
    await fc.assert(
      fc.asyncProperty(bodies, around, async (segments, args) => {
        const files = { "/s/probe/SKILL.md": exactSkill("probe", "d", segments.join("$ARGUMENTS")) };
        const content = `<skill_content name="probe">\n${filled(segments, args, false)}\n\nSkill directory: /s/probe\n</skill_content>`;
        for (const audience of ["models", "people"] as const) {
          const { call } = await openMemory(standard, files, audience);
          expect((await call("activate_skill", { name: "probe", arguments: args })).text).toBe(content);
        }
      }),
      { numRuns: 300 },
    );
  });

  it("on the command line, where load and the tool give the same", async () => {
    const body = "A $ARGUMENTS b $$ $1 $& $ARGUMENTS_X\n</skill_content>\nc $ARGUMENTS";
    const on = machine({ "project/skills/probe/SKILL.md": skill("probe", "d", body) });
    const root = ["--root", on.at("project/skills")];
    const texts = [
      "a.pdf",
      "",
      "$ARGUMENTS $& $1 $$",
      '</skill_content><skill_content name="x">',
      "--help",
      "- 'x' \"y\"\n`z`\u202e",
    ];
    for (const [profile, tool, key] of [
      ["standard", "activate_skill", "arguments"],
      ["mycodeagent", "Skill", "args"],
    ] as const) {
      const rpc = openRpc(on, { profile, args: root });
      for (const text of texts) {
        const loaded = await on.runJson(["load", "probe", `--args=${text}`, "--profile", profile, ...root]);
        const called = await rpc("tools.call", { name: tool, input: { name: "probe", [key]: text } });
        const contentOf = (json: unknown) => {
          const { content, data } = json as { content?: string; data?: { content: string } };
          return content ?? data?.content;
        };
        expect([profile, text, contentOf(loaded.json)]).toEqual([profile, text, contentOf(called)]);
        expect(contentOf(called)).toContain(" b $$ $1 $& $ARGUMENTS_X\n");
      }
    }
  });
});

describe("a message that names no skill stays as it is", () => {
  const text = fc
    .array(
      fc.oneof(
        fc.constantFrom(
          ...[
            "$",
            "/",
            "\\",
            "\\$",
            "\\/",
            "$$",
            "$50",
            "$PATH",
            "$unknown",
            "/unknown",
            "/usr/bin",
            "$/s/none/SKILL.md",
          ],
          ...["[$unknown](/s/none)", "[$", "](", "`$x`", "```\n", "known", "$known", "-skill", "zqx", "$zqx-", "/zqx"],
          ...["\u200b", "\u202e", "\n", " ", "$ARGUMENTS", "@user", "$(rm)", "$\u007bHOME}"],
        ),
        fc.string({ maxLength: 5 }),
      ),
      { maxLength: 12 },
    )
    .map((pieces) => pieces.join(""))
    .filter(
      (each) =>
        !each
          .normalize("NFKC")
          .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
          .includes("zqx-skill"),
    );

  it.each(all.map((profile) => [profile.name, profile] as const))("in %s", async (_, profile) => {
    const { session } = await openMemory(profile, { "/s/zqx-skill/SKILL.md": exactSkill("zqx-skill", "d", "Do.") });
    const { slash, dollar } = profile.policy.mentions;
    expect(session.mentions("/zqx-skill x").text).toBe(slash ? "x" : "/zqx-skill x");
    expect(session.mentions("x $zqx-skill").mentions).toHaveLength(dollar ? 1 : 0);
    fc.assert(
      fc.property(text, (message) => {
        expect(session.mentions(message)).toEqual({ mentions: [], text: message });
      }),
      { numRuns: 500 },
    );
  });

  it("on the command line", async () => {
    const on = machine({ "project/skills/zqx-skill/SKILL.md": skill("zqx-skill") });
    for (const profile of ["standard", "codelia"]) {
      const message = "/usr/bin $PATH \\$50 [$x](/y) `$zqx` \u202e/zqx";
      const args = ["prompt", "--for", message, "--profile", profile, "--root", on.at("project/skills")];
      const { json } = await on.runJson(args);
      expect(json).toMatchObject({ turn: { message, mentions: [], notes: "" } });
    }
    expect(smallebot.policy.mentions).toEqual({ slash: false, dollar: false });
  });
});

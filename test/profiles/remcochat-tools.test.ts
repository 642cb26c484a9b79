import { cpSync, existsSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { createMachines, skill } from "../../hosts/cli/test/command.ts";
import { layEntries } from "../support/tree.ts";
import { activate, type Called, callTools, readResource, remcochat, switchedOn } from "./remcochat-machine.ts";

const machine = createMachines();
const bytes = (text: string | undefined) => Buffer.byteLength(text ?? "");
const cut = (what: string, removed: number) => `\n\n[REMCOCHAT_SKILLS_TRUNCATED: ${what}; ${removed} bytes removed]`;

/** A SKILL.md of so many bytes. */
const sized = (name: string, size: number) => {
  const start = `---\nname: ${name}\ndescription: Long.\n---\n`;
  return start + "x".repeat(size - start.length);
};

const body = "# Use\n\nRun $ARGUMENTS, $1 and $HOME: !`touch ran`\n\n---\n\nA rule stands above.";

const at = machine({
  ...switchedOn,
  "project/.skills/x/SKILL.md": `---\nname: x\ndescription: About x.\n---\n\n${body}\n`,
  "project/.skills/x/notes.txt": "Grüße, 世界 🍵\n",
  "project/.skills/x/odd place/deep/er.md": "deep\n",
  "project/.skills/x/scripts/run.sh": "#!/bin/sh\ntouch ran\n",
  "project/.skills/x-evil/SKILL.md": skill("x-evil"),
  "project/.skills/x-evil/secret.md": "SECRET\n",
  "outside/secret.md": "SECRET\n",
  "outside/linked/SKILL.md": skill("linked", undefined, "SECRET"),
});
layEntries(at.at("project/.skills/x"), {
  "assets/logo.png": new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]),
  "assets/latin.txt": new Uint8Array([0x47, 0x72, 0xfc, 0xdf, 0x65]),
  "links/out.md": { link: at.at("outside/secret.md") },
  "links/folder": { link: at.at("outside") },
  "links/sibling": { link: "../../x-evil" },
  "links/in.md": { link: "../notes.txt" },
});
layEntries(at.at("home/.remcochat/skills"), { linked: { link: at.at("outside/linked") } });

describe("RemcoChat's tools", () => {
  it("S0-9, S0-80, S0-81, S0-87, S0-88 are two, with these names and inputs", async () => {
    const { tools } = await remcochat<{ tools: { name: string; inputSchema: object }[] }>(at, ["tool"]);
    const name = { type: "string" };
    expect(tools).toMatchObject([
      { name: "skills.activate", inputSchema: { type: "object", properties: { name }, required: ["name"] } },
      {
        name: "skills.readResource",
        inputSchema: { type: "object", properties: { name, path: name }, required: ["name", "path"] },
      },
    ]);
    expect(tools.map(({ inputSchema }) => Object.keys((inputSchema as { properties: object }).properties))).toEqual([
      ["name"],
      ["name", "path"],
    ]);
    const wrong = [{}, { name: 5 }, { name: null }, { name: ["x"] }, null, "x", { name: "" }];
    const { results } = await callTools(at, [
      ...wrong.map((input) => ["skills.activate", input] as const),
      readResource("x", undefined),
      readResource("x", 5),
    ]);
    expect(results.map(({ code }) => code)).toEqual(Array(9).fill("invalid-input"));
  });

  it("S0-83, S0-85, S0-86 activate gives name, frontmatter and the body as it is written", async () => {
    const { status, stdout } = await at.run(["tool", "skills.activate", '{"name":"x"}', "--profile", "remcochat"]);
    const result = { name: "x", frontmatter: { name: "x", description: "About x." }, body };
    expect({ status, stdout }).toEqual({ status: 0, stdout: `${JSON.stringify(result)}\n` });
    expect(await remcochat(at, ["load", "x"])).toEqual(result);
  });

  it("S0-82 activate says which skill there is none of, and nothing of places", async () => {
    const wanted = ["y", "x@project", at.at("project/.skills/x"), "../x", "X", "linked", "constructor", "__proto__"];
    const { results } = await callTools(at, wanted.map(activate));
    const expected = wanted.map((name) => ({
      error: expect.stringContaining(`No skill "${name}".`),
      code: "skill-not-found",
    }));
    expect(results).toEqual(expected);
    const leaks = results.filter(({ error = "" }, index) => error.replace(wanted[index] ?? "", "").includes("/"));
    expect(leaks).toEqual([]);
  });

  it("S0-17, S0-93, S0-96 read any file of a skill as UTF-8, by its plain path", async () => {
    const paths = ["notes.txt", "./odd place//deep/er.md", "SKILL.md"];
    const { results } = await callTools(
      at,
      paths.map((path) => readResource("x", path)),
    );
    expect(results).toEqual([
      { name: "x", path: "notes.txt", content: "Grüße, 世界 🍵\n" },
      { name: "x", path: "odd place/deep/er.md", content: "deep\n" },
      { name: "x", path: "SKILL.md", content: `---\nname: x\ndescription: About x.\n---\n\n${body}\n` },
    ]);
  });

  const refusals = async (paths: readonly string[], code: string) => {
    const { results } = await callTools(
      at,
      paths.map((path) => readResource("x", path)),
    );
    expect(results.map((each, index) => [paths[index], each.code, each.content])).toEqual(
      paths.map((path) => [path, code, undefined]),
    );
    return results;
  };

  it("S0-89 refuses absolute paths of any system", () =>
    refusals(
      [
        "/etc/passwd",
        "C:\\x",
        "C:/x",
        "\\\\srv\\x",
        "\\x",
        "~/x",
        "//etc/passwd",
        at.at("project/.skills/x/notes.txt"),
      ],
      "path-outside-skill",
    ));

  it("S0-90 refuses to go up, however it is written", () =>
    refusals(
      [
        "../SKILL.md",
        "..",
        "references/../../x",
        "references/../../../../etc/passwd",
        "..\\x",
        "a/%2e%2e/%2e%2e/x",
        "links/../../x-evil/secret.md",
        "notes.txt\0/../x",
      ],
      "path-outside-skill",
    ));

  it("S0-91, S0-127 refuses a sibling whose name begins alike", async () => {
    await refusals(["../x-evil/secret.md"], "path-outside-skill");
    const { results } = await callTools(at, [
      readResource("x", "-evil/secret.md"),
      readResource("x", "links/sibling/secret.md"),
    ]);
    expect(results.map(({ content }) => content)).toEqual([undefined, undefined]);
  });

  it("S0-92 follows a link within the skill, and none out of it", async () => {
    const results = await refusals(
      ["links/out.md", "links/folder/secret.md", "links/sibling/secret.md"],
      "path-outside-skill",
    );
    expect(JSON.stringify(results)).not.toContain(at.at("outside"));
    const { results: inside } = await callTools(at, [readResource("x", "links/in.md")]);
    expect(inside).toEqual([{ name: "x", path: "links/in.md", content: "Grüße, 世界 🍵\n" }]);
  });

  it("S0-94 says of what is no text that binary is not supported", async () => {
    const results = await refusals(["assets/logo.png", "assets/latin.txt"], "resource-binary");
    for (const { error } of results) expect(error).toMatch(/^binary not supported: /);
  });

  it("S0-133 gives what is no text as the policy says", async () => {
    const read = async (binary: string) => {
      const options = { env: { SKILLHOLM_SKILLS_BINARY: binary } };
      return (await callTools(at, [readResource("x", "assets/logo.png")], options)).results[0];
    };
    expect(await read("refuse")).toMatchObject({ code: "resource-binary" });
    const facts = { name: "x", path: "assets/logo.png" };
    expect(await read("base64")).toEqual({
      ...facts,
      content: "iVBORw0KGgoAAAAN",
      encoding: "base64",
      type: "image/png",
    });
    expect(await read("metadata")).toEqual({ ...facts, content: "[assets/logo.png is no text: image/png, 12 bytes]" });
  });

  it("S0-108 give nothing from outside the configured directories, not by a linked folder either", async () => {
    const { invalid, skills } = await remcochat<{ invalid: { error: string }[]; skills: { name: string }[] }>(at, [
      "list",
    ]);
    expect(skills.map(({ name }) => name)).toEqual(["x", "x-evil"]);
    expect(invalid).toMatchObject([{ error: expect.stringContaining("outside its root") }]);
    const { results } = await callTools(at, [
      activate("linked"),
      readResource("linked", "SKILL.md"),
      readResource("x", "links/out.md"),
    ]);
    expect(JSON.stringify(results)).not.toContain("SECRET");
  });

  it("S0-14, S0-109 run nothing, whatever is listed, activated, read or put into a prompt", async () => {
    const { results } = await callTools(at, [
      activate("x"),
      readResource("x", "scripts/run.sh"),
      ["scripts/run.sh", {}],
    ]);
    expect(results.slice(0, 2)).toMatchObject([{ body }, { content: "#!/bin/sh\ntouch ran\n" }]);
    await at.run(["prompt", "--for", "/x now", "--no-tools", "--profile", "remcochat"]);
    const ran = ["project/ran", "project/.skills/x/ran", "project/.skills/x/scripts/ran", "home/ran", "ran"];
    expect(ran.filter((path) => existsSync(at.at(path)))).toEqual([]);
  });
});

describe("RemcoChat's limits", () => {
  const large = machine({
    ...switchedOn,
    "project/.skills/fits/SKILL.md": sized("fits", 200_000),
    "project/.skills/over/SKILL.md": sized("over", 200_001),
    "project/.skills/wide/SKILL.md": `---\nname: wide\ndescription: Long.\n---\n${"é".repeat(100_000)}`,
    "project/.skills/head/SKILL.md": `---\nname: head\ndescription: D.\nlicense: ${"x".repeat(210_000)}\n---\nBODY\n`,
    "project/.skills/fits/fits.md": "x".repeat(2_000_000),
    "project/.skills/fits/over.md": "x".repeat(2_000_001),
    "project/.skills/fits/wide.md": `x${"é".repeat(1_000_000)}`,
  });
  const names = ["fits", "over", "over", "wide", "head"];
  const files = ["fits.md", "over.md", "over.md", "wide.md"];
  let called: ReturnType<typeof callTools> | undefined;
  const calls = async () => {
    called ??= callTools(large, [...names.map(activate), ...files.map((file) => readResource("fits", file))]);
    const { results, notes } = await called;
    return { notes, activated: results.slice(0, names.length), read: results.slice(names.length) };
  };

  it("S0-23, S0-84, S0-113, S0-114, S0-128 cut a SKILL.md of 200,001 bytes and not one of 200,000, and say so", async () => {
    const [fits, over] = (await calls()).activated;
    expect(fits?.body).toBe("x".repeat(200_000 - bytes("---\nname: fits\ndescription: Long.\n---\n")));
    const kept = "x".repeat(200_000 - bytes("---\nname: over\ndescription: Long.\n---\n"));
    expect(over).toEqual({
      name: "over",
      frontmatter: { name: "over", description: "Long." },
      body: kept + cut("SKILL.md", 1),
    });
    const told = await remcochat<{ text: string }>(large, ["prompt", "--for", "/over do", "--no-tools"]);
    expect(told.text.endsWith(`x${cut("SKILL.md", 1)}\n</active_skill>`)).toBe(true);
  });

  it("S0-84, S0-86 cut no character in two, and never give frontmatter for a body", async () => {
    const [, , , wide, head] = (await calls()).activated;
    const start = bytes("---\nname: wide\ndescription: Long.\n---\n");
    const kept = Math.floor((200_000 - start) / 2);
    expect(wide?.body).toBe("é".repeat(kept) + cut("SKILL.md", start + 200_000 - (start + 2 * kept)));
    expect(head?.body).toMatch(/^\n\n\[REMCOCHAT_SKILLS_TRUNCATED: SKILL\.md; \d+ bytes removed\]$/);
    expect(head?.frontmatter).toMatchObject({ name: "head", description: "D." });
  });

  it("S0-24, S0-95 cut a file of 2,000,001 bytes and not one of 2,000,000, and no character in two", async () => {
    const [fits, over, , wide] = (await calls()).read;
    expect(fits?.content === "x".repeat(2_000_000)).toBe(true);
    expect(over?.content === "x".repeat(2_000_000) + cut("resource", 1)).toBe(true);
    expect(wide?.content === `x${"é".repeat(999_999)}${cut("resource", 2)}`).toBe(true);
  });

  it("S0-25, S0-115 warn of each file once in a process", async () => {
    const { notes } = await calls();
    expect(notes).toEqual([
      "over: SKILL.md is over the limit; 1 bytes were cut.",
      expect.stringMatching(/^wide: SKILL\.md is over the limit; \d+ bytes were cut\.$/),
      expect.stringMatching(/^head: SKILL\.md is over the limit; \d+ bytes were cut\.$/),
      "fits: over.md is over the limit; 1 bytes were cut.",
      "fits: wide.md is over the limit; 2 bytes were cut.",
    ]);
  });

  it("S0-116 hold up to a cap that no configuration lifts", async () => {
    const most = 16 * 1024 * 1024;
    const limits = "max_skills = 10000000000\nmax_skill_md_bytes = 10000000000\nmax_resource_bytes = 10000000000\n";
    const huge = machine({
      "project/config.toml": `[app.skills]\nenabled = true\n${limits}`,
      "project/.skills/huge/SKILL.md": sized("huge", most + 1000),
      "project/.skills/huge/huge.txt": "x".repeat(most + 1000),
    });
    const { results } = await callTools(huge, [activate("huge"), readResource("huge", "huge.txt")]);
    const [activated, read] = results as [Called, Called];
    expect(bytes(activated.body)).toBeLessThan(2_000_100);
    expect(activated.body).toMatch(/\[REMCOCHAT_SKILLS_TRUNCATED: SKILL\.md; \d+ bytes removed\]$/);
    expect(read.content === "x".repeat(most) + cut("resource", 1000)).toBe(true);
  });
});

describe("the conformance skill in RemcoChat", () => {
  const home = machine(switchedOn);
  const source = fileURLToPath(new URL("../../skills/skills-system-validation", import.meta.url));
  const name = "skills-system-validation";
  cpSync(source, home.at(`project/.skills/${name}`), { recursive: true });
  writeFileSync(home.at("project/SKILL.md"), "SECRET");

  it("S0-119, S0-120 has its four files, and is found with a description that is text", async () => {
    const { files, description } = await remcochat<{ files: { path: string }[]; description: string }>(home, [
      "show",
      name,
    ]);
    expect(files.map(({ path }) => path).toSorted()).toEqual([
      "SKILL.md",
      "assets/fixture.json",
      "references/REFERENCE.md",
      "scripts/echo.sh",
    ]);
    const { skills, invalid, warnings } = await remcochat<
      Record<"skills" | "invalid" | "warnings", { path: string }[]>
    >(home, ["list"]);
    expect(skills).toMatchObject([{ name, description: expect.stringMatching(/^Checks whether .*conformance/s) }]);
    expect(description).not.toMatch(/^[|>]/);
    expect(invalid).toEqual([]);
    expect(warnings.filter(({ path }) => path.includes(name))).toEqual([]);
  });

  it("S0-121 gives its procedure when it is activated", async () => {
    const { results } = await callTools(home, [activate(name)]);
    expect(results).toMatchObject([{ name, body: expect.stringContaining("## Validation procedure") }]);
    expect(JSON.stringify(results)).not.toContain("REMCOCHAT_SKILLS_TRUNCATED");
  });

  it("S0-122 gives the three markers when its files are read", async () => {
    const paths = ["references/REFERENCE.md", "assets/fixture.json", "scripts/echo.sh"];
    const { results } = await callTools(
      home,
      paths.map((path) => readResource(name, path)),
    );
    const [reference, fixture, script] = results.map(({ content }) => content ?? "");
    expect(reference?.split("\n")[0]).toContain("REMCOCHAT_SKILLS_CONFORMANCE_REFERENCE_v1");
    expect(JSON.parse(fixture ?? "")).toMatchObject({ fixture_id: name });
    expect(script).toContain("REMCOCHAT_SKILLS_SCRIPT_OK");
  });

  it("S0-123 refuses the three paths of its fourth step", async () => {
    const paths = ["../SKILL.md", "/etc/passwd", "references/../../../../etc/passwd"];
    const { results } = await callTools(
      home,
      paths.map((path) => readResource(name, path)),
    );
    expect(results.map(({ code, content }) => ({ code, content }))).toEqual(
      paths.map(() => ({ code: "path-outside-skill" })),
    );
  });
});

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { createMachines, type Machine, type Running, skill } from "../hosts/cli/test/command.ts";
import { openBrowserPage } from "./support/browser.ts";

const machine = createMachines();

const files = {
  "home/.agents/skills/brew-tea/SKILL.md": skill(
    "brew-tea",
    "Makes tea. Use when somebody is thirsty.",
    "# Brew tea\n\nMARKER-IN-THE-BODY\n\n## Boil water",
  ),
  "home/.agents/skills/brew-tea/references/kinds.md": "green, black",
  "home/.agents/skills/broken/SKILL.md": "no frontmatter",
  "project/.git/HEAD": "",
  "project/.agents/skills/waiting/SKILL.md": skill("waiting", "Waits for trust."),
};

async function serve({ start }: Machine): Promise<Running & { readonly url: string }> {
  const running = await start(["serve", "--port", "0"]);
  return { ...running, url: running.line.replace("Skillholm is at ", "") };
}

async function ask(page: Page, text: string): Promise<void> {
  await page.getByLabel("What do you need?").fill(text);
  await page.keyboard.press("Enter");
}

/** What the page complained about. */
function listen(page: Page): readonly string[] {
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(message.text());
  });
  return problems;
}

describe("the page", () => {
  it("lists the skills; a message draws one card for the activation; both are there after a restart", async () => {
    const home = machine(files);
    const server = await serve(home);
    const page = await openBrowserPage();
    const problems = listen(page);

    await page.goto(`${server.url}`);
    await page.getByRole("link", { name: "Library" }).click();
    const rows = page.locator("tbody tr");
    const row = (name: string) => rows.filter({ has: page.getByRole("rowheader", { name, exact: true }) });
    await row("brew-tea").waitFor();
    expect(await row("brew-tea").locator("td").allTextContents()).toEqual([
      "Makes tea. Use when somebody is thirsty.",
      "user",
      "listed",
    ]);
    expect((await row("broken").locator("td").allTextContents()).slice(1)).toEqual(["user", "invalid"]);
    const waiting = await row("waiting").locator("td").allTextContents();
    expect(waiting).toEqual([expect.stringContaining("skillholm trust "), "project", "untrusted"]);
    await page.getByLabel("Filter by name or description").fill("thirsty");
    expect(await rows.count()).toBe(1);

    await page.getByRole("link", { name: "Chat" }).click();
    await ask(page, "I am thirsty");
    const answer = page.getByText("fits best, and is activated.");
    await answer.waitFor();
    const card = page.getByRole("region", { name: "Activated brew-tea" });
    expect(await card.count()).toBe(1);
    expect(await page.getByText("MARKER-IN-THE-BODY").isVisible()).toBe(false);
    await card.locator("summary").click();
    expect(await page.getByText("MARKER-IN-THE-BODY").isVisible()).toBe(true);
    expect(await page.getByRole("complementary", { name: "Chats" }).getByText("I am thirsty").count()).toBe(1);
    expect(await page.locator(".model").textContent()).toContain("no language model");
    const address = page.url();
    expect(address).toMatch(/\/chat\/[0-9a-f]{24}$/);

    await server.end();
    const data = home.at("data/skillholm");
    for (const name of readdirSync(data)) {
      expect(readFileSync(join(data, name)).includes("MARKER-IN-THE-BODY"), name).toBe(false);
    }
    const again = await serve(home);
    await page.goto(again.url);
    await page.getByRole("complementary", { name: "Chats" }).getByText("I am thirsty").click();
    await answer.waitFor();
    expect(await page.getByRole("article", { name: "You" }).textContent()).toBe("I am thirsty");
    expect(await card.count()).toBe(1);
    await card.locator("summary").click();
    expect(await page.getByText("MARKER-IN-THE-BODY").isVisible()).toBe(true);
    expect(new URL(page.url()).pathname).toBe(new URL(address).pathname);
    await page.reload();
    await answer.waitFor();
    await ask(page, "zebra");
    await page.getByText("No skill matches that.").waitFor();
    expect(problems).toEqual([]);
  });

  it("offers what the installed skills can do, and begins with it", async () => {
    const server = await serve(machine(files));
    const page = await openBrowserPage();
    await page.goto(server.url);
    await page.getByText(/^1 skill waits for your trust: .*skillholm trust /).waitFor();
    await page.getByRole("button", { name: "Brew tea Makes tea." }).click();
    await page.getByRole("region", { name: "Activated brew-tea" }).waitFor();
  });

  it("lets a hostile skill change nothing but its own row and card", async () => {
    const evil = `<img src=x onerror="document.title='taken'"><script>document.title='taken'</script>`;
    const body = `# ![x](http://127.0.0.1:9/pixel) [link](javascript:alert(1)) ${evil}\n`;
    const server = await serve(
      machine({ "home/.agents/skills/evil/SKILL.md": skill("evil", `'Zebras ${evil}'`, body) }),
    );
    const page = await openBrowserPage();
    const problems = listen(page);
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).host));
    await page.goto(`${server.url}`);
    await ask(page, "zebras");
    const card = page.getByRole("region", { name: "Activated evil" });
    await card.locator("summary").click();
    expect(await card.locator("pre").textContent()).toContain(evil);
    await page.getByText("fits best, and is activated.").waitFor();
    expect(await page.locator("article img, article script, article a").count()).toBe(0);
    await page.getByRole("link", { name: "Library" }).click();
    await page.getByRole("rowheader", { name: "evil" }).waitFor();
    expect(await page.title()).toBe("Skillholm");
    expect(new Set(asked)).toEqual(new Set([new URL(server.url).host]));
    expect(problems).toEqual([]);
  });

  it("says what to do without the key, and when the server is gone, and loses nothing", async () => {
    const server = await serve(machine(files));
    const page = await openBrowserPage();
    await page.goto(new URL("/", server.url).href);
    await page.getByText("Open the whole address that the server printed, with its key.").waitFor();
    await page.goto(server.url);
    await page.getByRole("heading", { name: "Ask for something" }).waitFor();
    await server.end();
    await ask(page, "I am thirsty");
    await page.getByText("The server does not answer. Is it still running?").waitFor();
    await expect.poll(() => page.getByLabel("What do you need?").inputValue()).toBe("I am thirsty");
    expect(new URL(page.url()).pathname).toBe("/");
    expect(await page.getByRole("article").count()).toBe(0);
  });

  it("asks again for an answer that never came", async () => {
    const home = machine(files);
    const server = await serve(home);
    const page = await openBrowserPage();
    await page.goto(server.url);
    await ask(page, "I am thirsty");
    await page.getByText("fits best, and is activated.").waitFor();
    const { pathname } = new URL(page.url());
    await server.end();
    const database = new DatabaseSync(home.at("data/skillholm/chats.db"));
    database.exec("delete from messages where role = 'assistant'");
    database.close();
    const again = await serve(home);
    await page.goto(again.url);
    await page.goto(new URL(pathname, again.url).href);
    await page.getByText("This has no answer yet.").waitFor();
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("region", { name: "Activated brew-tea" }).waitFor();
    expect(await page.getByText("This has no answer yet.").count()).toBe(0);
    expect(await page.getByRole("article", { name: "You" }).count()).toBe(1);
  });

  it("is a new chat at its first address, whatever way one came there", async () => {
    const server = await serve(machine(files));
    const page = await openBrowserPage();
    await page.goto(server.url);
    await ask(page, "I am thirsty");
    await page.getByText("fits best, and is activated.").waitFor();
    const first = page.url();
    await page.goBack();
    await page.getByRole("heading", { name: "Ask for something" }).waitFor();
    await page.getByRole("link", { name: "Library" }).click();
    await page.goBack();
    await ask(page, "thirsty again");
    await page.getByText("fits best, and is activated.").waitFor();
    expect(page.url()).not.toBe(first);
    await page.goto(first);
    await page.getByRole("article", { name: "You" }).waitFor();
    expect(await page.getByRole("article", { name: "You" }).allTextContents()).toEqual(["I am thirsty"]);
    await page.goto(new URL("/chat/%zz", first).href);
    await page.getByText('There is no chat "%zz".').waitFor();
  });

  it("shows in the library what has come since", async () => {
    const home = machine(files);
    const server = await serve(home);
    const page = await openBrowserPage();
    await page.goto(server.url);
    await page.getByRole("heading", { name: "Ask for something" }).waitFor();
    mkdirSync(home.at("home/.agents/skills/newcomer"));
    writeFileSync(home.at("home/.agents/skills/newcomer/SKILL.md"), skill("newcomer"));
    await page.getByRole("link", { name: "Library" }).click();
    await page.getByRole("rowheader", { name: "newcomer" }).waitFor();
  });
});

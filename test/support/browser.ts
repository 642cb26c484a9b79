import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { onTestFinished } from "vitest";

/** A page in a browser of its own, which closes when the test ends. */
export async function openBrowserPage(options: BrowserContextOptions = {}): Promise<Page> {
  const browser = await chromium.launch({
    executablePath: chromiumPath(),
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"],
  });
  onTestFinished(() => browser.close());
  return browser.newPage(options);
}

function chromiumPath(): string {
  const names = ["chromium", "chromium-browser", "google-chrome"];
  const folders = (process.env.PATH ?? "").split(delimiter);
  const found = folders.flatMap((folder) => names.map((name) => join(folder, name))).find((path) => existsSync(path));
  return process.env.CHROMIUM_PATH ?? found ?? "chromium";
}

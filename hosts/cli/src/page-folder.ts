import { fileURLToPath } from "node:url";

/** Where the built page lies. In a clone it is built first, when something in it changed. */
export async function pageFolder(): Promise<string> {
  // The build defines this to the place of the page in the package.
  const built = (import.meta as { skillholmPage?: string }).skillholmPage;
  if (built !== undefined) return fileURLToPath(new URL(built, import.meta.url));
  const script = new URL("../../../scripts/page.ts", import.meta.url).href;
  const { buildPage } = await import(script);
  return buildPage();
}

import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { createStateFile } from "./state-file.ts";

/** The secret in the server's address. Made once, so that a page that is open still works after a restart. */
export async function readServerKey(folder: string): Promise<string> {
  const file = createStateFile(join(folder, "server.json"), { key: "" }, checkKey);
  const { key } = file.read();
  if (key !== "") return key;
  const made = randomBytes(24).toString("base64url");
  return (await file.update((now) => (now.key === "" ? { key: made } : now))).key;
}

function checkKey(value: unknown): { key: string } {
  const { key } = Object(value) as { key: unknown };
  if (typeof key !== "string" || !/^[\w-]{32,}$/.test(key)) throw new Error('"key" should be a long random text');
  return { key };
}

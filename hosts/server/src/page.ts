import { readdirSync, readFileSync } from "node:fs";
import { extname, join, sep } from "node:path";
import { SkillError } from "@skillholm/core";

/** The built page. Its few files are held in memory: a request can name only what is there. */
export interface Page {
  answer(path: string): Response;
}

interface File {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly type: string;
}

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

export function openPage(folder: string): Page {
  const files = readFiles(folder);
  const index = files.get("/index.html");
  if (index === undefined) throw new SkillError("unavailable", `The page is not built: ${folder} has no index.html.`);
  return {
    answer: (path) => {
      const file = files.get(path);
      if (file !== undefined) return send(file, path.startsWith("/assets/"));
      // Every other address is the page's own: it knows what to draw there.
      const isFile = extname(path) !== "" && !path.startsWith("/chat/");
      return isFile ? new Response("Not found", { status: 404 }) : send(index, false);
    },
  };
}

function readFiles(folder: string): ReadonlyMap<string, File> {
  const files = new Map<string, File>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const type = types[extname(entry.name)];
    if (!entry.isFile() || type === undefined) continue;
    const path = join(entry.parentPath, entry.name);
    const bytes = new Uint8Array(readFileSync(path));
    files.set(path.slice(folder.length).split(sep).join("/"), { bytes, type });
  }
  return files;
}

// What has a hash in its name never changes.
function send({ bytes, type }: File, forever: boolean): Response {
  const cache = forever ? "public, max-age=31536000, immutable" : "no-cache";
  return new Response(bytes, { headers: { "content-type": type, "cache-control": cache } });
}

import {
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  type Resource,
  ResourceNotFoundError,
  type Server,
} from "@modelcontextprotocol/server";
import { toBase64 } from "@skillholm/core/dialect";
import { type Skill, SkillError } from "@skillholm/core/portable";
import { readToolName } from "@skillholm/tools";
import type { Approvals } from "./approval.ts";
import { clientOf } from "./client.ts";
import { fitDescription, fitManifest } from "./entry.ts";
import type { McpHost, OpenedSkills } from "./host.ts";
import { typeOf } from "./media-type.ts";
import { takePage } from "./page.ts";
import { servedSkills } from "./served.ts";
import { manifestUri, parseUri, type SkillAddress } from "./uri.ts";

/** The files of skills as resources: listed by their `SKILL.md`, read by the rules that hold for tools. */
export function serveResources(server: Server, host: McpHost, approvals: Approvals): void {
  server.setRequestHandler("resources/list", async ({ params }) => {
    const { skills, session } = await host.open();
    const { ordered } = servedSkills(skills.catalog, session);
    const { items, nextCursor } = takePage(ordered, ({ name }) => name, params?.cursor);
    return { resources: items.map(describe), ...(nextCursor && { nextCursor }) };
  });
  server.setRequestHandler("resources/read", async ({ params: { uri } }, context) => {
    const address = parseUri(uri);
    if (address === undefined || address.path === "") throw new ResourceNotFoundError(uri);
    const { canAsk } = clientOf(context, server.getClientCapabilities());
    const attempt = { tool: readToolName, input: { ...address }, canAsk };
    const settled = await approvals.settle(host, attempt, context);
    context.mcpReq.signal.throwIfAborted();
    return "question" in settled ? settled.question : read(settled.opened, address, uri);
  });
}

async function read(
  { skills, session }: OpenedSkills,
  address: SkillAddress,
  uri: string,
): Promise<ReadResourceResult> {
  const { name, path } = address;
  const skill = servedSkills(skills.catalog, session).byName.get(name);
  if (skill === undefined) throw new ResourceNotFoundError(uri);
  const whole = await readWhole(session.readWhole(skill.path, path), uri);
  const bytes = path === "SKILL.md" ? (await fitManifest(skills, skill, whole)).bytes : whole;
  const mimeType = typeOf(path);
  const text = decode(bytes);
  return { contents: [text === undefined ? { uri, mimeType, blob: toBase64(bytes) } : { uri, mimeType, text }] };
}

async function readWhole(reading: Promise<Uint8Array>, uri: string): Promise<Uint8Array> {
  try {
    return await reading;
  } catch (error) {
    if (!(error instanceof SkillError)) throw error;
    if (error.code === "resource-not-found") throw new ResourceNotFoundError(uri);
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${error.message} (${error.code})`);
  }
}

/** Undefined for what is no text, or would not be the same bytes again. */
function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function describe({ name, description }: Skill): Resource {
  return { uri: manifestUri(name), name, description: fitDescription(description), mimeType: "text/markdown" };
}

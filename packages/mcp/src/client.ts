import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { SKILLS_EXTENSION_ID } from "@modelcontextprotocol/server/ext/skills";

/** What is known of the client of one request. */
export interface RequestClient {
  /** It lists and reads skills by the extension. */
  readonly hasSkills: boolean;
  /** It can ask the person who sits before it. */
  readonly canAsk: boolean;
}

// The SDK's own type loses its keys.
type Envelope = Readonly<Partial<Record<typeof CLIENT_CAPABILITIES_META_KEY, ClientCapabilities>>>;

/** Newer clients say what they can with every request, older ones once at the beginning. */
export function clientOf(context: ServerContext, atStart: ClientCapabilities | undefined): RequestClient {
  const { envelope } = context.mcpReq as { readonly envelope?: Envelope };
  const said = envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? atStart ?? {};
  const { elicitation, extensions } = said;
  // A bare `elicitation: {}` means forms; one that only opens addresses cannot show ours.
  const canAsk = elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
  return { hasSkills: extensions !== undefined && Object.hasOwn(extensions, SKILLS_EXTENSION_ID), canAsk };
}

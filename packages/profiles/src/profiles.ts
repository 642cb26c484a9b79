import { agentBase } from "./agent-base.ts";
import { codelia } from "./codelia.ts";
import { mycodeagent } from "./mycodeagent.ts";
import type { Profile } from "./profile.ts";
import { remcochat } from "./remcochat.ts";
import { smallebot } from "./smallebot.ts";
import { standard } from "./standard.ts";

/** Every profile by its name. */
export const profiles: Readonly<Record<string, Profile>> = Object.fromEntries(
  [standard, remcochat, codelia, agentBase, mycodeagent, smallebot].map((profile) => [profile.name, profile]),
);

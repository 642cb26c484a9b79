import { layoutRoots, type OpenOptions, openSkills, type Skills } from "@skillholm/core";
import type { ProfilePolicy } from "./policies.ts";

/** Finds and loads the skills as a profile does: in its places, by its rules. Who calls this has switched it on. */
export async function openProfile(profile: ProfilePolicy, options: OpenOptions = {}): Promise<Skills> {
  const { layout, policy, links } = profile;
  const found = options.roots ?? (layout && layoutRoots(layout, options));
  const roots = links === undefined ? found : found?.map((root) => ({ ...root, links }));
  return openSkills({ ...options, ...(roots && { roots }), policy: { ...policy, enabled: true, ...options.policy } });
}

export type { Profile } from "./profile.ts";
export { standard } from "./standard.ts";

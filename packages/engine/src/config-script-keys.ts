import type { ConfigKey } from "./config-key.ts";

/** The settings about scripts; a project may only tighten them. */
export const scriptKeys: readonly ConfigKey[] = [
  {
    key: "skills.allowed_tools",
    type: "text",
    values: ["ignore", "log", "enforce"],
    fallback: "log",
    order: ["ignore", "log", "enforce"],
    project: "never",
    about: "what a skill's allowed-tools mean for its scripts",
  },
  {
    key: "skills.scripts",
    type: "text",
    values: ["off", "ask", "allow"],
    fallback: "ask",
    order: ["allow", "ask", "off"],
    project: "never",
    about: "whether scripts run",
  },
  {
    key: "skills.sandbox",
    type: "text",
    values: ["required", "untested", "none"],
    fallback: "required",
    order: ["none", "untested", "required"],
    project: "never",
    about: "untested: one that nobody tested will do; none: without one, where none can be had",
  },
];

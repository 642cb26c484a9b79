import { describe, expect, it } from "vitest";
import { projectFolders, type RootsInput, resolveOtherRoots, resolveRoots } from "../src/roots.ts";

/** Roots as `scope path`, for a machine on which just these paths exist. */
function rootsFor(change: Partial<RootsInput> & { readonly existing?: readonly string[] } = {}) {
  const { existing = ["/home/ann/work/repo/.git"], ...rest } = change;
  const input: RootsInput = {
    cwd: "/home/ann/work/repo/packages/app",
    home: "/home/ann",
    compat: [],
    isTrusted: () => true,
    exists: (path) => existing.includes(path),
    bundled: "/usr/lib/skillholm/skills",
    ...rest,
  };
  return { input, roots: resolveRoots(input).map(({ scope, path }) => `${scope} ${path}`) };
}

describe("resolveRoots", () => {
  it("goes from the working directory up to the project's marker, then to the user, then to the bundled skills", () => {
    expect(rootsFor().roots).toEqual([
      "project /home/ann/work/repo/packages/app/.agents/skills",
      "project /home/ann/work/repo/packages/.agents/skills",
      "project /home/ann/work/repo/.agents/skills",
      "user /home/ann/.agents/skills",
      "system /usr/lib/skillholm/skills",
    ]);
  });

  it("does not climb without a marker", () => {
    expect(rootsFor({ existing: [] }).roots[0]).toBe("project /home/ann/work/repo/packages/app/.agents/skills");
    expect(rootsFor({ existing: [] }).roots[1]).toBe("user /home/ann/.agents/skills");
  });

  it.each([".git", ".jj", ".skillholm"])("ends at the nearest %s", (marker) => {
    const existing = ["/home/ann/work/.git", `/home/ann/work/repo/packages/${marker}`];
    expect(rootsFor({ existing }).roots.slice(0, 3)).toEqual([
      "project /home/ann/work/repo/packages/app/.agents/skills",
      "project /home/ann/work/repo/packages/.agents/skills",
      "user /home/ann/.agents/skills",
    ]);
  });

  it("takes no home folder for a project, even one that is kept in a repository", () => {
    const { roots } = rootsFor({ cwd: "/home/ann/work/x", existing: ["/home/ann/.git"] });
    expect(roots.slice(0, 2)).toEqual(["project /home/ann/work/x/.agents/skills", "user /home/ann/.agents/skills"]);
  });

  it("takes the home folder's skills for the user's, even where home is a repository", () => {
    const { roots } = rootsFor({ cwd: "/home/ann", existing: ["/home/ann/.git"] });
    expect(roots).toEqual(["user /home/ann/.agents/skills", "system /usr/lib/skillholm/skills"]);
  });

  it("adds the folders of the agents that are switched on, after .agents in each place", () => {
    const { roots } = rootsFor({ cwd: "/home/ann/work/repo", compat: ["claude", "opencode"] });
    expect(roots).toEqual([
      "project /home/ann/work/repo/.agents/skills",
      "project /home/ann/work/repo/.claude/skills",
      "project /home/ann/work/repo/.opencode/skills",
      "project /home/ann/work/repo/.opencode/skill",
      "user /home/ann/.agents/skills",
      "user /home/ann/.claude/skills",
      "user /home/ann/.config/opencode/skills",
      "user /home/ann/.config/opencode/skill",
      "system /usr/lib/skillholm/skills",
    ]);
  });

  it("trusts what is the user's and the program's, and of a project only what is trusted", () => {
    const { input } = rootsFor({ isTrusted: (folder) => folder.startsWith("/home/ann/work/repo/packages") });
    expect(resolveRoots(input).map(({ scope, trusted, writable, links }) => [scope, trusted, writable, links])).toEqual(
      [
        ["project", true, true, "inside"],
        ["project", true, true, "inside"],
        ["project", false, true, "inside"],
        ["user", true, true, "anywhere"],
        ["system", true, false, "inside"],
      ],
    );
  });

  it("knows the folders of the agents that are switched off", () => {
    const { input } = rootsFor({ cwd: "/home/ann/work/repo", compat: ["claude"] });
    const others = resolveOtherRoots(input).map(({ agent, path }) => `${agent} ${path}`);
    expect(others).toContain("copilot /home/ann/work/repo/.github/skills");
    expect(others).toContain("codex /home/ann/.codex/skills");
    expect(others.filter((each) => each.startsWith("claude"))).toEqual([]);
  });
});

describe("projectFolders", () => {
  it("ends at the top of the file system", () => {
    expect(projectFolders("/a/b", "/home/ann", (path) => path === "/.git")).toEqual(["/a/b", "/a", "/"]);
    expect(projectFolders("/", "/home/ann", () => false)).toEqual(["/"]);
  });

  it("handles a path with a drive letter", () => {
    expect(projectFolders("C:\\a\\b", "C:\\Users", (path) => path === "C:\\a\\.git")).toEqual(["C:\\a\\b", "C:\\a"]);
    expect(projectFolders("C:\\a", "C:\\Users", () => false)).toEqual(["C:\\a"]);
  });
});

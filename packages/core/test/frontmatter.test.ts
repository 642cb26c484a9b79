import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { locateFrontmatter, readFrontmatter } from "../src/frontmatter.ts";

const encode = (text: string) => new TextEncoder().encode(text);
const read = (text: string, complete = true) => readFrontmatter(encode(text), encode(text).length, complete);

describe("readFrontmatter", () => {
  it.each([
    ["---\na: b\n---\nbody", "a: b\n", 2],
    ["---\r\na: b\r\n---\r\nbody", "a: b\r\n", 2],
    ["---\ra: b\r---\rbody", "a: b\r", 2],
    ["\ufeff---\na: b\n---\n", "a: b\n", 2],
    ["\n \t\n---\na: b\n---", "a: b\n", 4],
    ["--- \t\na: b\n---  \nbody", "a: b\n", 2],
    ["---\n---\n", "", 2],
    ["---\na: |\n  ---\nb: c\n---\n", "a: |\n  ---\nb: c\n", 2],
    ["---\n--- x\n--\n---\n", "--- x\n--\n", 2],
  ])("finds the YAML in %j", (text, yaml, line) => {
    expect(read(text)).toEqual({ status: "closed", text: yaml, line, broken: false });
  });

  it.each(["", "# Title\n---\na: b\n---\n", "---js\na\n---\n", " ---\na: b\n---\n", "--\n", "+++\na = 1\n+++\n"])(
    "finds none in %j",
    (text) => {
      expect(read(text).status).toBe("none");
    },
  );

  it("ends at a longer line of dashes too, and remembers that it did", () => {
    expect(read("---\na: b\n------  \nbody\n---\n")).toMatchObject({
      status: "closed",
      text: "a: b\n",
      longFence: true,
    });
    expect(read("----\na: b\n---\n").status).toBe("none");
  });

  it("names the line of a frontmatter that comes too late", () => {
    expect(read("<!-- header -->\n\n---\na: b\n---\n")).toMatchObject({ status: "none", laterLine: 3 });
  });

  it.each([
    ["text", "# Title\n\n---\n\nMore text\n\n---\n"],
    ["a sentence with a colon", "# Title\n\n---\nNote: this\nis text.\n---\n"],
    ["keys without an end", "# Title\n---\nname: a\n"],
  ])("takes a rule before %s for no frontmatter", (_, text) => {
    expect(read(text).laterLine).toBeUndefined();
  });

  it("passes over a rule above a frontmatter that comes too late", () => {
    expect(read("# Title\n\n---\n\n---\nname: a\nmetadata:\n  b: c\n---\n").laterLine).toBe(5);
  });

  it("keeps looking while the file goes on", () => {
    expect(read("---\na: b\n", false).status).toBe("open");
    expect(read("---\na: b\n---", false).status).toBe("open");
    expect(read("--", false).status).toBe("open");
    expect(read("\n\n", false).status).toBe("open");
    expect(read("---\na: b\n---\n", false).status).toBe("closed");
  });

  it("takes nothing from beyond the given length", () => {
    const bytes = encode("---\na: b\n---\nold bytes of another file");
    expect(readFrontmatter(bytes, 9, true).status).toBe("open");
    expect(readFrontmatter(bytes, 12, true).status).toBe("closed");
  });

  it("tells bytes that are no UTF-8 from a real replacement character", () => {
    expect(read("---\na: \ufffd\n---\n").broken).toBe(false);
    const bytes = Uint8Array.of(...encode("---\na: "), 0xe9, ...encode("\n---\n"));
    expect(readFrontmatter(bytes, bytes.length, true)).toMatchObject({ status: "closed", broken: true });
  });

  it("neither crashes nor reads past the end on any bytes", () => {
    const bytes = fc.array(fc.constantFrom(45, 10, 13, 32, 9, 0xef, 0xbb, 0xbf, 0, 97, 58, 0xff), { maxLength: 60 });
    fc.assert(
      fc.property(bytes, fc.boolean(), (list, complete) => {
        const { start, end, body, line } = locateFrontmatter(Uint8Array.from(list), list.length, complete);
        expect(start).toBeLessThanOrEqual(end);
        expect(end).toBeLessThanOrEqual(body);
        expect(body).toBeLessThanOrEqual(list.length);
        expect(line).toBeGreaterThan(0);
      }),
      { numRuns: 5000 },
    );
  });
});

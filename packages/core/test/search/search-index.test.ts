import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseQuery } from "../../src/search/query.ts";
import { SearchIndex, type SearchText } from "../../src/search/search-index.ts";

const word = fc.constantFrom(..."merge split pdf form report deploy cloud 合并 invoice C++ pdfForms e-mail".split(" "));
const text = fc.array(word, { maxLength: 8 }).map((words) => words.join(" "));
const document: fc.Arbitrary<SearchText> = fc.record({ name: text, uses: text, exclusions: text, body: text });

interface Doc {
  readonly id: number;
  readonly text: SearchText;
}

function find(index: SearchIndex<Doc>, query: string) {
  const found = index.match(parseQuery(query, index), 50, () => true);
  return found
    .map(({ item, score, coverage, words }) => ({ id: item.id, score, coverage, words: [...words].sort() }))
    .sort((a, b) => b.score - a.score || a.id - b.id);
}

function indexOf(docs: readonly Doc[]): SearchIndex<Doc> {
  const index = new SearchIndex<Doc>();
  for (const doc of docs) index.add(doc, doc.text);
  return index;
}

describe("the search index", () => {
  it("is after any changes what a new one is", () => {
    const changes = fc.array(fc.tuple(fc.nat(9), fc.option(document, { nil: undefined })), { maxLength: 30 });
    fc.assert(
      fc.property(fc.array(document, { minLength: 1, maxLength: 10 }), changes, text, (texts, changes, query) => {
        const docs = new Map(texts.map((text, id) => [id, { id, text }]));
        const index = indexOf([...docs.values()]);
        for (const [id, text] of changes) {
          const before = docs.get(id);
          if (before !== undefined) index.remove(before);
          docs.delete(id);
          if (text === undefined) continue;
          const now = { id, text };
          docs.set(id, now);
          index.add(now, text);
        }
        const [changed, fresh] = [find(index, query), find(indexOf([...docs.values()]), query)];
        expect(changed.map(({ id }) => id).sort()).toEqual(fresh.map(({ id }) => id).sort());
        for (const hit of changed) {
          const same = fresh.find(({ id }) => id === hit.id);
          expect(hit.score).toBeCloseTo(same?.score ?? Number.NaN, 9);
          expect(hit.coverage).toBeCloseTo(same?.coverage ?? Number.NaN, 9);
          expect(hit.words).toEqual(same?.words);
        }
        expect(index.size).toBe(docs.size);
      }),
    );
  });

  it("finds every document that holds a word, among thousands", () => {
    const docs = Array.from({ length: 5000 }, (_, id) => ({
      id,
      text: { name: `skill-${id}`, uses: id % 7 === 0 ? "zebra stripes" : "horse", exclusions: "", body: "" },
    }));
    const index = indexOf(docs);
    const found = index.match(parseQuery("zebra", index), 5000, () => true);
    expect(found.map(({ item }) => item.id).sort((a, b) => a - b)).toEqual(
      docs.filter(({ id }) => id % 7 === 0).map(({ id }) => id),
    );
    expect(index.match(parseQuery("zebra", index), 5000, ({ id }) => id === 14)).toHaveLength(1);
  });

  it("is not held up by a text made for it", () => {
    const index = indexOf([{ id: 0, text: { name: "a", uses: "quoted text", exclusions: "", body: "" } }]);
    const nasty = [
      "'".repeat(20_000),
      '"x'.repeat(20_000),
      "not ".repeat(20_000),
      "```".repeat(20_000),
      "a-".repeat(40_000),
    ];
    const before = performance.now();
    for (const query of nasty) index.match(parseQuery(query, index), 8, () => true);
    const single = performance.now();
    for (const query of nasty) index.match(parseQuery(query.slice(0, 8000), index), 8, () => true);
    // What is read of a query is bounded, so that a longer one takes no longer.
    expect(single - before).toBeLessThan(20 * (performance.now() - single) + 200);
  });
});

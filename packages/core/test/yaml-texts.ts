import fc from "fast-check";

/** Pieces from which frontmatter is made, right and wrong; joined at random they reach every branch. */
const pieces = fc.constantFrom(
  ..."name|description|a|b|x y|: |:|- |-| |  |    |# c|#|'|\"|''|\\||>|\\|-|>-|[|]|[a, b]|{a: b}|{|}|,|foo|bar baz|é".split(
    /(?<!\\)\|/,
  ),
  ...["\n", "\n  ", "\n    ", "\n- ", "\n  - ", "\n\n", "\n \n", "\n---\n", "...", "1.10", "~", "true", "\u00a0", "\\"],
  ...[
    "&x",
    "*x",
    "!",
    "?",
    "%",
    "`",
    "@",
    "key: ",
    "k2: v\n",
    "a: b\n",
    "tags:\n",
    "c: d: e\n",
    "x: |\n  t\n",
    "y: >-\n  t\n  u\n",
  ],
  ...[
    '"q\n  r"',
    '"x y\n',
    '  z"\n',
    '{"a": {"b": ["c", d]}}',
    '{"a":{"b":"c"}}',
    "[{",
    "}]",
    "\t",
    "\u2028",
    "\ufeff",
    "🎌",
  ],
);
/** Frontmatter at random: some right, most of it wrong. */
export const yamlTexts = fc
  .tuple(fc.constantFrom("", "a: ", "name: x\ndescription: "), fc.array(pieces, { minLength: 1, maxLength: 14 }))
  .map(([start, parts]) => `${start}${parts.join("")}\n`);

import { layTree } from "../../../test/support/tree.ts";
import { createFsSource, createMemorySource } from "../src/index.ts";
import { describeSource } from "./source-contract.ts";

describeSource("disk", (files) => ({ source: createFsSource(), root: layTree(files) }));

describeSource("memory", (files) => ({
  source: createMemorySource(
    Object.fromEntries(Object.entries(files).map(([path, content]) => [`/skills/${path}`, content])),
  ),
  root: "/skills",
}));

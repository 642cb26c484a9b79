import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["packages/*/test/**/*.test.ts", "hosts/*/test/**/*.test.ts", "test/**/*.test.ts"],
    // Shared workers: several times faster; tests keep to folders of their own.
    pool: "threads",
    isolate: false,
    // The tests mostly wait for the commands that they start.
    maxWorkers: "100%",
    testTimeout: 30_000,
    hookTimeout: 120_000,
  },
});

import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["packages/*/test/**/*.test.ts", "hosts/*/test/**/*.test.ts", "test/**/*.test.ts"],
    // Shared workers: several times faster; tests keep to folders of their own.
    pool: "threads",
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 120_000,
  },
});

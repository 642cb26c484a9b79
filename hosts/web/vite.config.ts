import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  plugins: [react()],
  // The page's content security policy lets no data in as a script or style.
  build: { assetsInlineLimit: 0, modulePreload: { polyfill: false }, license: { fileName: "licenses.json" } },
});

// How the page is built: one folder of files that the binary carries inside itself.
import { defineConfig } from "vite";

export default defineConfig({
  // The page knows nothing about where it is served from.
  base: "./",
  build: { target: "es2022", assetsInlineLimit: 0, chunkSizeWarningLimit: 2000, sourcemap: false },
});

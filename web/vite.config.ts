// How the page is built: one folder of files that the binary carries inside itself.
import { defineConfig } from "vite";

export default defineConfig({
  // The server inserts its token into index.html, so that the page knows nothing else about where it is served from.
  base: "./",
  build: { target: "es2022", assetsInlineLimit: 0, chunkSizeWarningLimit: 2000, sourcemap: false },
});

import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

// Every address the API answers on; in development they go to a `nacre serve` on its usual port.
const API = ["/v1", "/api", "/health", "/mcp", "/openapi.json", "/docs"];
const server = "http://127.0.0.1:8765";

export default defineConfig({
  plugins: [react()],
  base: "./",
  build: { outDir: "../src/nacre/web", emptyOutDir: true, target: "es2023", chunkSizeWarningLimit: 600 },
  server: { host: "127.0.0.1", proxy: Object.fromEntries(API.map((path) => [path, server])) },
});

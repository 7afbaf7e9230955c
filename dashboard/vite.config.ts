import { defineConfig } from 'vite'

/** The dashboard as files beside the built program, which serves them at `/dashboard/`. */
export default defineConfig({
  root: import.meta.dirname,
  base: '/dashboard/',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: '../.dist/dashboard',
    emptyOutDir: true,
    // Files lie side by side: the server knows no folders.
    assetsDir: '',
    // Pictures as data of the page would need a wider policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2022',
    reportCompressedSize: false,
  },
  // To work on it: `npm run dashboard`, with a server at its usual address.
  server: { proxy: { '^/(?!dashboard/|@|node_modules/)': 'http://localhost:7700' } },
  logLevel: 'warn',
})

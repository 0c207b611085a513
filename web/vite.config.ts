/** Builds the pages into web/dist; in development, proxies calls and sockets to the server. */
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { chunkGroups, LIGHT_ENTRIES } from './chunk-groups.ts'
import { prerender } from './landing/prerender.ts'
import { prerenderDocs } from './prerender-docs.ts'
import { prerenderEntrances } from './prerender-entrances.ts'
import { publishPlugin } from './publish.ts'

const SERVER = process.env.API_URL ?? 'http://127.0.0.1:3000'

/** The server serves DIST; the build writes to STAGING, which it does not serve. */
const DIST = `${import.meta.dirname}/dist`
const STAGING = `${DIST}/.new`

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    react(),
    prerenderDocs(),
    prerender(),
    prerenderEntrances(),
    publishPlugin(STAGING, DIST),
  ],
  build: {
    outDir: STAGING,
    emptyOutDir: true,
    target: 'es2023',
    // The content policy blocks data: fonts and scripts.
    assetsInlineLimit: 0,
    // The transliteration table (contract/label-text.ts) has 547 kB and loads only when rows are read.
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      // The landing page and the page of the API are documents of their own; everything else is one application, whose entrances
      // are rendered too.
      input: [...LIGHT_ENTRIES, 'app.html'].map(page => `${import.meta.dirname}/${page}`),
      output: {
        codeSplitting: {
          groups: chunkGroups(),
        },
      },
    },
  },
  // A worker loads further chunks, which the default format cannot.
  worker: { format: 'es' },
  server: {
    proxy: {
      '/api': SERVER,
      '/sandbox-pay': SERVER,
      '/socket.io': { target: SERVER, ws: true },
    },
  },
})

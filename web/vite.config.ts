/** Builds the pages into web/dist; in development hands calls and sockets on to the server. */
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { prerender } from './landing/prerender.ts'
import { publishPlugin } from './publish.ts'

const SERVER = process.env.API_URL ?? 'http://127.0.0.1:3000'

/** Where the server finds the pages. They are built where it serves nothing. */
const DIST = `${import.meta.dirname}/dist`
const STAGING = `${DIST}/.new`

/** What every page needs stands in chunks that survive a release of the pages themselves. */
const UI_KIT_PACKAGES =
  /node_modules\/(@mantine|@floating-ui|react-remove-scroll|react-textarea-autosize|react-number-format)\//
const REACT_PACKAGES =
  /node_modules\/(react|react-dom|react-router|scheduler|zustand|@tanstack\/(react-query|query-core))\//
const SCHEMA_PACKAGES = /node_modules\/zod\//

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), prerender(), publishPlugin(STAGING, DIST)],
  build: {
    outDir: STAGING,
    emptyOutDir: true,
    target: 'es2023',
    // The content policy admits no data: fonts or scripts.
    assetsInlineLimit: 0,
    // The table of letters (contract/label-text.ts) is 547 kB by itself and comes only when rows were read.
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      // The landing page stands alone; everything else is one application.
      input: ['index.html', 'app.html'].map(page => `${import.meta.dirname}/${page}`),
      output: {
        codeSplitting: {
          groups: [
            { name: 'react', test: REACT_PACKAGES },
            { name: 'kit', test: UI_KIT_PACKAGES },
            { name: 'schemas', test: SCHEMA_PACKAGES },
          ],
        },
      },
    },
  },
  server: {
    proxy: {
      '/api': SERVER,
      '/sandbox-pay': SERVER,
      '/socket.io': { target: SERVER, ws: true },
    },
  },
})

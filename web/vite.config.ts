/** Builds the pages into web/dist; in development hands calls and sockets on to the server. */
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { prerender } from './landing/prerender.ts'
import { publishing } from './publish.ts'

const SERVER = process.env.API_URL ?? 'http://127.0.0.1:3000'

/** Where the server finds the pages. They are built where it serves nothing. */
const DIST = `${import.meta.dirname}/dist`
const BUILT = `${DIST}/.new`

/** What every page needs stands in chunks that survive a release of the pages themselves. */
const KIT =
  /node_modules\/(@mantine|@floating-ui|react-remove-scroll|react-textarea-autosize|react-number-format)\//
const REACT =
  /node_modules\/(react|react-dom|react-router|scheduler|zustand|@tanstack\/(react-query|query-core))\//
const SCHEMAS = /node_modules\/zod\//

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), prerender(), publishing(BUILT, DIST)],
  build: {
    outDir: BUILT,
    emptyOutDir: true,
    target: 'es2023',
    // The content policy admits no data: fonts or scripts.
    assetsInlineLimit: 0,
    // The table of letters (contract/latin.ts) is 547 kB by itself and comes only when rows were read.
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      // The landing page stands alone; everything else is one application.
      input: ['index.html', 'app.html'].map(page => `${import.meta.dirname}/${page}`),
      output: {
        codeSplitting: {
          groups: [
            { name: 'react', test: REACT },
            { name: 'kit', test: KIT },
            { name: 'schemas', test: SCHEMAS },
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

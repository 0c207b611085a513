/** Builds the pages into web/dist; in development, proxies calls and sockets to the server. */
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { prerender } from './landing/prerender.ts'
import { prerenderDocs } from './prerender-docs.ts'
import { prerenderEntrances } from './prerender-entrances.ts'
import { publishPlugin } from './publish.ts'

const SERVER = process.env.API_URL ?? 'http://127.0.0.1:3000'

/** The server serves DIST; the build writes to STAGING, which it does not serve. */
const DIST = `${import.meta.dirname}/dist`
const STAGING = `${DIST}/.new`

// Packages in chunks of their own, which stay in the browser's cache when a release changes only the pages.
/** Parts of the component library that the sign-in page needs too; their chunk includes what these parts need. */
const FIELD_PARTS =
  /node_modules\/@mantine\/core\/esm\/(core\/MantineProvider|components\/(TextInput|PasswordInput|Tooltip))\//
const UI_KIT_PACKAGES =
  /node_modules\/(@mantine|@floating-ui|react-remove-scroll|react-textarea-autosize|react-number-format)\//
const REACT_PACKAGES =
  /node_modules\/(react|react-dom|react-router|scheduler|zustand|@tanstack\/(react-query|query-core))\//
const SCHEMA_PACKAGES = /node_modules\/zod\//

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
      input: ['index.html', 'app.html', 'entrance.html', 'docs.html'].map(
        page => `${import.meta.dirname}/${page}`,
      ),
      output: {
        codeSplitting: {
          groups: [
            { name: 'react', test: REACT_PACKAGES, priority: 2 },
            { name: 'fields', test: FIELD_PARTS, priority: 1 },
            { name: 'kit', test: UI_KIT_PACKAGES },
            { name: 'schemas', test: SCHEMA_PACKAGES },
          ],
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

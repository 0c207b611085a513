// Writes the server as one file, server/dist/main.js, its packages included: Node resolves and links one file in place of
// about 1,500, so that a start takes half the processor time (docs/decisions/0063-the-server-is-bundled.md). Names stay as
// they are in the source, and comments name the source files, so that a stack trace can be read.
import { join } from 'node:path'
import { build } from 'vite'
import { ROOT } from './command.ts'

/** They load files of their own folders: machine code, or modules of the program that starts them. */
const NOT_BUNDLED = ['@node-rs/argon2', '@resvg/resvg-js']

await build({
  root: ROOT,
  configFile: false,
  publicDir: false,
  logLevel: 'warn',
  ssr: { target: 'node', noExternal: true, external: NOT_BUNDLED },
  build: {
    ssr: join(ROOT, 'server', 'main.ts'),
    outDir: join(ROOT, 'server', 'dist'),
    emptyOutDir: true,
    minify: false,
    target: 'node22',
    rolldownOptions: { output: { entryFileNames: 'main.js' } },
  },
})

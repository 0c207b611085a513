// Writes the server as one file, server/dist/main.cjs, its packages included: Node resolves and links one file in place of
// about 1,500 (docs/decisions/0063-the-server-is-bundled.md). What is imported on first use has files of its own. Names and
// lines stay as they are in the source, so that a stack trace can be read.
import { join } from 'node:path'
import { build } from 'vite'
import type { Plugin } from 'vite'
import { ROOT } from './command.ts'

/** They load files of their own folders: machine code, or modules of the program that starts them. */
const NOT_BUNDLED = ['@node-rs/argon2', '@resvg/resvg-js']

/** With a letter beyond ASCII in a file, V8 keeps all of its text with two bytes for each letter. */
const onlyAscii: Plugin = {
  name: 'only-ascii',
  generateBundle(_, files) {
    for (const file of Object.values(files))
      if (file.type === 'chunk') file.code = toAscii(file.code)
  },
}

const toAscii = (code: string): string =>
  code.replace(/[^\0-\x7f]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

type Entries = Record<string, string>

/** What several of the entries import has a file of its own. `isFirst`: empties the folder. */
const bundle = (entries: Entries, isFirst: boolean): Promise<unknown> =>
  build({
    root: ROOT,
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    plugins: [onlyAscii],
    ssr: { target: 'node', noExternal: true, external: NOT_BUNDLED },
    build: {
      ssr: true,
      outDir: join(ROOT, 'server', 'dist'),
      emptyOutDir: isFirst,
      minify: false,
      target: 'node22',
      rolldownOptions: {
        input: entries,
        output: {
          // Not modules: to import `node:http` as one reads all of its names, and so loads Node's fetch, 20 MB and 70 ms.
          format: 'cjs',
          comments: false,
          entryFileNames: '[name].cjs',
          chunkFileNames: '[name]-[hash].cjs',
        },
      },
    },
  })

await bundle(
  {
    main: join(ROOT, 'server', 'main.ts'),
    supervisor: join(ROOT, 'scripts', 'start.ts'),
  },
  true,
)
// Apart, so that the start of the server reads no more files.
await bundle(
  { 'drawing-thread-entry': join(ROOT, 'server', 'labels', 'drawing', 'drawing-thread-entry.ts') },
  false,
)

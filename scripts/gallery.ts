/**
 * `npm run gallery`: takes a picture of every page and state (scripts/gallery/places.ts) on a sandbox server of its own, looks for
 * faults and prints them. `-- --only orders,sku` takes the places with these words in their name, `--widths 390,1440` and
 * `--themes dark` fewer pictures, `--out folder` puts them elsewhere than in test-results/gallery.
 */
import { mkdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ROOT, say } from './command.ts'
import { PLACES } from './gallery/places.ts'
import { writeIndex } from './gallery/report.ts'
import { startSite } from './gallery/site.ts'
import { NARROWEST, walk, WIDTHS } from './gallery/walk.ts'

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    widths: { type: 'string', default: [...WIDTHS, NARROWEST].join(',') },
    themes: { type: 'string', default: 'light,dark' },
    out: { type: 'string', default: join(ROOT, 'test-results', 'gallery') },
  },
})
const words = options.only.toLowerCase().split(',').filter(Boolean)
const places = PLACES.filter(
  ({ name }) => words.length === 0 || words.some(word => name.toLowerCase().includes(word)),
)
const widths = options.widths.split(',').map(Number)
const themes = options.themes.split(',').filter(theme => theme === 'light' || theme === 'dark')
const wrong = [
  places.length === 0 && `--only needs a word of: ${PLACES.map(({ name }) => name).join(', ')}`,
  themes.length === 0 && '--themes needs light, dark or both',
  !widths.every(width => width >= 200) && '--widths needs numbers from 200, such as 390,1440',
].filter(text => text !== false)
if (wrong.length > 0) {
  process.stderr.write(`No pictures to take. ${wrong.join('. ')}\n`)
  process.exit(2)
}
const out = resolve(options.out)
await rm(out, { recursive: true, force: true })
await mkdir(out, { recursive: true })

say('Filling a database')
const site = await startSite()
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void site.stop().finally(() => process.exit(130)))
try {
  const pictures = await walk(site, { places, widths, themes, out, say })
  await writeIndex(out, places, pictures)
  const faults = pictures.flatMap(({ place, width, theme, faults: found }) =>
    found.map(fault => `${place} at ${width} px, ${theme}: ${fault}`),
  )
  for (const fault of faults) say(fault)
  const drawn = pictures.filter(({ file }) => file).length
  say(`${drawn} pictures of ${places.length} places, ${faults.length} faults`)
  say(`Open ${join(out, 'index.html')}`)
  process.exitCode = faults.length === 0 ? 0 : 1
} finally {
  await site.stop()
}

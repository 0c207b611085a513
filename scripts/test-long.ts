// npm run test:long: what is played at random goes on for half an hour, seed after seed, with larger orders and more kills
// (docs/reliability.md). `npm run test:long -- 8 killed-at-random` plays for 8 minutes what has that word in its path; EVENPOST_SEED chooses
// the first seed, and so plays a round again that was lost.
import { randomInt } from 'node:crypto'
import { packageBinary, runNodeScript, say } from './command.ts'

/**
 * What plays rounds, or is larger in the long form: as many at once as two cores can serve, each group for its share of the time.
 * `carrier-rate-limit` takes six minutes, however few are wished.
 */
const TEST_GROUPS = [
  ['killed-at-random', 'carrier-faults', 'killed-in-submit'],
  ['killed-in-single-order', 'carrier-rate-limit', 'database-network'],
  ['tests/model', 'tests/fuzz'],
]

const [first, ...words] = process.argv.slice(2)
const minutes = first === undefined ? 30 : Number(first)
if (!(minutes > 0)) {
  process.stderr.write('npm run test:long -- <minutes> [a word in the path of the tests]…\n')
  process.exit(1)
}
const seed = process.env.EVENPOST_SEED ?? String(randomInt(2 ** 31))
say(`For ${minutes} minutes and the end of the last round, from EVENPOST_SEED=${seed}`)
const groups = words.length > 0 ? [words] : TEST_GROUPS
let inOrder = true
for (const group of groups) {
  inOrder =
    (await runNodeScript(packageBinary('vitest'), ['run', '--project', 'resilience', ...group], {
      EVENPOST_SEED: seed,
      EVENPOST_LONG_MINUTES: String(minutes / groups.length),
    })) && inOrder
}
process.exitCode = inOrder ? 0 : 1

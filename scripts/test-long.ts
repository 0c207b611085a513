// npm run test:long: repeats the randomized tests for half an hour, seed after seed, with larger
// orders and more kills. docs/reliability.md has its arguments and EVENPOST_SEED.
import { randomInt } from 'node:crypto'
import { runVitest, say } from './command.ts'

/**
 * Run one group after another, each for its share of the time: two cores can run one group.
 * `carrier-rate-limit` takes six minutes at least.
 */
const TEST_GROUPS = [
  ['killed-at-random', 'carrier-faults', 'killed-in-submit'],
  ['killed-in-single-order', 'carrier-rate-limit', 'database-network', 'killed-with-webhooks'],
  ['tests/model', 'tests/fuzz', 'database-machine-lost'],
]

const [first, ...words] = process.argv.slice(2)
const minutes = first === undefined ? 30 : Number(first)
if (!(minutes > 0)) {
  process.stderr.write('npm run test:long -- <minutes> [word in the path of the tests]…\n')
  process.exit(1)
}
const seed = process.env.EVENPOST_SEED ?? String(randomInt(2 ** 31))
say(`Running for ${minutes} minutes until the last round ends, from EVENPOST_SEED=${seed}`)
const groups = words.length > 0 ? [words] : TEST_GROUPS
let allPassed = true
for (const group of groups) {
  allPassed =
    (await runVitest(['run', '--project', 'resilience', ...group], {
      EVENPOST_SEED: seed,
      EVENPOST_LONG_MINUTES: String(minutes / groups.length),
    })) && allPassed
}
process.exitCode = allPassed ? 0 : 1

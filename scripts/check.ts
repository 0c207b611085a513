// npm run check: what CI runs, the quick parts first, and it stops at the first that is not in order.
import { packageBinary, checkFormat, checkTypes, heading, lint, runNodeScript } from './command.ts'

const steps: [string, () => Promise<boolean>][] = [
  ['Types', checkTypes],
  ['Format', checkFormat],
  ['Lint', lint],
  ['Tidy', () => runNodeScript(packageBinary('vitest'), ['run', 'tests/tidy'])],
  ['All tests', () => runNodeScript('scripts/test.ts', ['--checked'])],
]
for (const [name, work] of steps) {
  heading(name)
  if (await work()) continue
  process.stdout.write(`\n${name}: not in order\n`)
  process.exit(1)
}

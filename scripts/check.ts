// npm run check: what CI runs, the quick parts first. It stops at the first failure.
import { checkFormat, checkTypes, heading, lint, runNodeScript, runVitest } from './command.ts'

const steps: [string, () => Promise<boolean>][] = [
  ['Types', checkTypes],
  ['Format', checkFormat],
  ['Lint', lint],
  ['Tidy', () => runVitest(['run', 'tests/tidy'])],
  ['All tests', () => runNodeScript('scripts/test.ts', ['--checked'])],
]
for (const [name, work] of steps) {
  heading(name)
  if (await work()) continue
  process.stdout.write(`\n${name}: failed\n`)
  process.exit(1)
}

// npm run check: what CI runs, the quick parts first. It stops at the first failure.
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
  process.stdout.write(`\n${name}: failed\n`)
  process.exit(1)
}

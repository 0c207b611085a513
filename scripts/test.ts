// npm test: types, formatting, lint, tests and journeys, then one line with the totals. `npm test
// -- ledger` runs the tests with that word in their path. `--checked` skips types, formatting and
// lint.
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findChromium } from './chromium.ts'
import {
  packageBinary,
  checkFormat,
  checkTypes,
  heading,
  lint,
  ROOT,
  runNodeScript,
} from './command.ts'

type TestCounts = {
  passed: number
  failed: number
}

const filters = process.argv.slice(2).filter(word => word !== '--checked')
const checked = process.argv.includes('--checked')
const reports = mkdtempSync(join(tmpdir(), 'evenpost-reports-'))
const testCounts: TestCounts[] = []
let allPassed = true

if (filters.length === 0 && !checked) {
  await runStep('Types', checkTypes)
  await runStep('Format', checkFormat)
  await runStep('Lint', lint)
}
await runStep('Tests', runTests)
if (filters.length === 0 && globSync('tests/journeys/**/*.test.ts', { cwd: ROOT }).length > 0)
  await runStep('Journeys', runJourneys)
rmSync(reports, { recursive: true, force: true })

const passed = testCounts.reduce((sum, outcome) => sum + outcome.passed, 0)
const failed = testCounts.reduce((sum, outcome) => sum + outcome.failed, 0)
process.stdout.write(`\n${passed} passed, ${failed} failed\n`)
process.exitCode = allPassed && failed === 0 && passed > 0 ? 0 : 1

/** The next steps run even when this one fails. */
async function runStep(name: string, work: () => Promise<boolean>): Promise<void> {
  heading(name)
  const passed = await work().catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    return false
  })
  if (!passed) process.stdout.write(`${name}: failed\n`)
  allPassed &&= passed
}

async function runTests(): Promise<boolean> {
  const report = join(reports, 'vitest.json')
  const good = await runNodeScript(packageBinary('vitest'), [
    'run',
    ...filters,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ])
  // A file that does not load, or whose final check of the books fails, is a failure without a
  // failed test.
  type Suite = { status: string; assertionResults: { status: string }[] }
  type Report = { numPassedTests: number; numFailedTests: number; testResults: Suite[] }
  addCounts<Report>(report, ({ numPassedTests, numFailedTests, testResults }) => ({
    passed: numPassedTests,
    failed:
      numFailedTests
      + testResults.filter(
        file =>
          file.status === 'failed' && file.assertionResults.every(one => one.status !== 'failed'),
      ).length,
  }))
  return good
}

async function runJourneys(): Promise<boolean> {
  const chromium = await findChromium(line => void process.stdout.write(`${line}\n`))
  const report = join(reports, 'playwright.json')
  const good = await runNodeScript(
    packageBinary('@playwright/test', 'playwright'),
    ['test', '--config', 'tests/journeys/playwright.config.ts', '--reporter', 'list,json'],
    { CHROMIUM_PATH: chromium, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
  )
  type Report = { stats: { expected: number; unexpected: number } }
  addCounts<Report>(report, ({ stats: { expected, unexpected } }) => ({
    passed: expected,
    failed: unexpected,
  }))
  return good
}

function addCounts<Report>(file: string, read: (report: Report) => TestCounts): void {
  testCounts.push(
    existsSync(file)
      ? read(JSON.parse(readFileSync(file, 'utf8')) as Report)
      : { passed: 0, failed: 1 },
  )
}

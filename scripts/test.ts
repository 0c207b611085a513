// npm test: types, formatting, lint, tests, journeys and beside them a walk in Firefox where it is
// installed, then one line with the totals. `npm test -- ledger` runs the tests with that word in their path.
// `--checked` skips types, formatting and lint.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEnv } from '#server/platform/process/start-env.ts'
import { findChromium } from './chromium.ts'
import {
  packageBinary,
  checkFormat,
  checkTypes,
  heading,
  lint,
  ROOT,
  runNodeScript,
  runNodeScriptAside,
  runVitest,
} from './command.ts'
import { findFirefox } from './firefox.ts'
import { Standstills } from './standstills.ts'
import { readPlaywright, readVitest, summarizeFailure } from './test-reports.ts'
import type { FailedFile, TestReport } from './test-reports.ts'
import { UNHANDLED_ERRORS_FILE } from './unhandled-errors-reporter.ts'

const MAX_REPEATS = 2

type TestCounts = {
  passed: number
  failed: number
}

// For the many processes that tests start.
Object.assign(process.env, startEnv())
const filters = process.argv.slice(2).filter(word => word !== '--checked')
const checked = process.argv.includes('--checked')
const reports = mkdtempSync(join(tmpdir(), 'evenpost-reports-'))
const testCounts: TestCounts[] = []
/** Repeated at the end, and once more in a line each, the last of a log that is cut. */
const failures: string[] = []
const flaky: string[] = []
/** Named at the end: types, formatting and lint fail without a failed test. */
const failedSteps: string[] = []
const standstills = new Standstills()

if (filters.length === 0 && !checked) {
  await runStep('Types', checkTypes)
  await runStep('Format', checkFormat)
  await runStep('Lint', lint)
}
await runStep('Tests', runTests)
if (filters.length === 0) {
  // The walk waits half of the time, so the journeys run beside it.
  const firefox = walkInFirefox()
  await Promise.allSettled([firefox, runStep('Journeys', runJourneys)])
  await runStep('Firefox', async () => (await firefox)())
}
rmSync(reports, { recursive: true, force: true })

const passed = testCounts.reduce((sum, outcome) => sum + outcome.passed, 0)
const failed = testCounts.reduce((sum, outcome) => sum + outcome.failed, 0)
for (const failure of flaky) process.stdout.write(`\nPassed the second time: ${failure}\n`)
for (const failure of failures) process.stdout.write(`\nFailed: ${failure}\n`)
if (standstills.count > 0)
  process.stdout.write(`\nThe machine stood still ${describeStandstills()}.\n`)
const retried = flaky.length > 0 ? `, ${flaky.length} passed the second time` : ''
process.stdout.write(`\n${passed} passed, ${failed} failed${retried}\n`)
if (failedSteps.length > 0)
  process.stdout.write(
    `Failed steps: ${failedSteps.join(', ')} (their output stands under these headings)\n`,
  )
for (const failure of failures) process.stdout.write(`Failed: ${summarizeFailure(failure)}\n`)
process.exitCode = failedSteps.length === 0 && failed === 0 && passed > 0 ? 0 : 1

function describeStandstills(): string {
  const { count, longest } = standstills
  return `${count === 1 ? 'once' : `${count} times`}, for up to ${Math.round(longest / 1000)} s`
}

/** The next steps run even when this one fails. */
async function runStep(name: string, work: () => Promise<boolean>): Promise<void> {
  heading(name)
  const passed = await work().catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    return false
  })
  if (!passed) {
    process.stdout.write(`${name}: failed\n`)
    failedSteps.push(name)
  }
}

/** What failed runs again only if the machine stood still during each of these files (docs/decisions/0077). */
async function runWithRepeats(
  run: (onlyFiles: string[] | null) => Promise<TestReport & { hasSucceeded: boolean }>,
): Promise<boolean> {
  let passed = 0
  let onlyFiles: string[] | null = null
  for (let repeats = 0; ; repeats++) {
    const outcome = await run(onlyFiles)
    flaky.push(...outcome.flaky)
    if (repeats === MAX_REPEATS || !outcome.mayRepeat || !hadStandstills(outcome.failedFiles)) {
      failures.push(...outcome.failures)
      testCounts.push({
        passed: passed + outcome.passed + outcome.passedBesideFailures,
        failed: outcome.failures.length,
      })
      return outcome.hasSucceeded
    }
    passed += outcome.passed
    onlyFiles = [...new Set(outcome.failedFiles.map(({ path }) => path))]
    for (const failure of outcome.failures) process.stdout.write(`\nFailed: ${failure}\n`)
    process.stdout.write(
      `\nThe machine stood still ${describeStandstills()}, so these files run again:\n${onlyFiles.join('\n')}\n`,
    )
  }
}

function hadStandstills(files: readonly FailedFile[]): boolean {
  return files.length > 0 && files.every(file => standstills.hadOneIn(file))
}

function runTests(): Promise<boolean> {
  return runWithRepeats(async onlyFiles => {
    const [report, unhandledErrors] = [join(reports, 'vitest.json'), join(reports, 'errors.json')]
    for (const file of [report, unhandledErrors]) rmSync(file, { force: true })
    const hasSucceeded = await runVitest(
      [
        'run',
        ...(onlyFiles ?? filters),
        '--reporter=default',
        '--reporter=./scripts/unhandled-errors-reporter.ts',
        '--reporter=json',
        `--outputFile.json=${report}`,
      ],
      { [UNHANDLED_ERRORS_FILE]: unhandledErrors },
    )
    const errors = existsSync(unhandledErrors)
      ? (JSON.parse(readFileSync(unhandledErrors, 'utf8')) as string[])
      : ['The run ended before it could tell its errors']
    return { ...readVitest(report, errors), hasSucceeded }
  })
}

async function runJourneys(): Promise<boolean> {
  const chromium = await findChromium(line => void process.stdout.write(`${line}\n`))
  const report = join(reports, 'playwright.json')
  return runWithRepeats(async onlyFiles => {
    rmSync(report, { force: true })
    const hasSucceeded = await runNodeScript(
      packageBinary('@playwright/test', 'playwright'),
      [
        'test',
        '--config',
        'tests/journeys/playwright.config.ts',
        '--reporter',
        'list,json',
        ...(onlyFiles ?? []),
      ],
      { CHROMIUM_PATH: chromium, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
    )
    return { ...readPlaywright(report), hasSucceeded }
  })
}

/**
 * The way of a new seller in the installed Firefox; not part of the run where there is none. Returns a function that prints its output
 * and tells whether it succeeded.
 */
async function walkInFirefox(): Promise<() => boolean> {
  const firefox = findFirefox()
  if (!firefox)
    return () => {
      process.stdout.write(
        'Skipped: no Firefox is installed (Debian: apt-get install firefox-esr), and FIREFOX_PATH names none.\n',
      )
      return true
    }
  const output = join(reports, 'firefox.txt')
  const succeeded = await runNodeScriptAside(join(ROOT, 'tests', 'firefox', 'walk.ts'), output, {
    FIREFOX_PATH: firefox,
  })
  return () => {
    const said = readFileSync(output, 'utf8')
    process.stdout.write(said)
    testCounts.push(succeeded ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 })
    if (!succeeded)
      failures.push(
        ['tests/firefox/walk.ts', ...said.trimEnd().split('\n').slice(-12)].join('\n    '),
      )
    return succeeded
  }
}

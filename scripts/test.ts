// npm test: types, formatting, lint, tests, journeys and beside them a walk in Firefox where it is
// installed, then one line with the totals. `npm test -- ledger` runs the tests with that word in their path.
// `--checked` skips types, formatting and lint.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
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

/** Of Playwright's report. */
type JourneyResult = {
  error?: { message?: string }
  attachments?: { name: string; path?: string }[]
}

const MOST_PAGE_LINES = 100

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
/** Repeated at the end: in a long output they are hard to find. */
const failures: string[] = []
/** Named at the end: types, formatting and lint fail without a failed test. */
const failedSteps: string[] = []

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
for (const failure of failures) process.stdout.write(`\nFailed: ${failure}\n`)
process.stdout.write(`\n${passed} passed, ${failed} failed\n`)
if (failedSteps.length > 0)
  process.stdout.write(
    `Failed steps: ${failedSteps.join(', ')} (their output stands under these headings)\n`,
  )
process.exitCode = failedSteps.length === 0 && failed === 0 && passed > 0 ? 0 : 1

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

async function runTests(): Promise<boolean> {
  const report = join(reports, 'vitest.json')
  const good = await runVitest([
    'run',
    ...filters,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ])
  // A file that does not load, or whose final check of the books fails, is a failure without a
  // failed test.
  type Test = { status: string; fullName: string; failureMessages: string[] }
  type Suite = { name: string; status: string; message: string; assertionResults: Test[] }
  type Report = { numPassedTests: number; testResults: Suite[] }
  addCounts<Report>(report, ({ numPassedTests, testResults }) => {
    const failed = testResults
      .filter(file => file.status === 'failed')
      .flatMap(({ name, message, assertionResults }) => {
        const file = relative(ROOT, name)
        const tests = assertionResults.filter(one => one.status === 'failed')
        return tests.length === 0
          ? [describeFailure(file, message)]
          : tests.map(one =>
              describeFailure(`${file} > ${one.fullName}`, one.failureMessages.join('\n')),
            )
      })
    failures.push(...failed)
    return { passed: numPassedTests, failed: failed.length }
  })
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
  type Spec = { title: string; file: string; tests: { status: string; results: JourneyResult[] }[] }
  type Suite = { specs: Spec[]; suites?: Suite[] }
  type Report = { stats: { expected: number; unexpected: number }; suites: Suite[] }
  const specsOf = ({ specs, suites = [] }: Suite): Spec[] => [...specs, ...suites.flatMap(specsOf)]
  addCounts<Report>(report, ({ stats: { expected, unexpected }, suites }) => {
    for (const { title, file, tests } of suites.flatMap(specsOf))
      for (const { results } of tests.filter(one => one.status === 'unexpected'))
        failures.push(describeJourney(`${file} > ${title}`, results.at(-1)))
    return { passed: expected, failed: unexpected }
  })
  return good
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
    process.stdout.write(readFileSync(output))
    testCounts.push(succeeded ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 })
    if (!succeeded) failures.push('tests/firefox/walk.ts: its message stands under Firefox above')
    return succeeded
  }
}

/** A failure, and what the page showed then: Playwright prints only where it stored that. */
function describeJourney(name: string, result: JourneyResult | undefined): string {
  const failure = describeFailure(name, result?.error?.message ?? '')
  const { path } = result?.attachments?.find(one => one.name === 'error-context') ?? {}
  if (!path || !existsSync(path)) return failure
  const page = readFileSync(path, 'utf8').split('\n').slice(0, MOST_PAGE_LINES)
  return [failure, ...page].join('\n    ')
}

/** The name and the first lines of the message. */
function describeFailure(name: string, message: string): string {
  return [name, ...stripVTControlCharacters(message).split('\n').slice(0, 8)].join('\n    ')
}

function addCounts<Report>(file: string, read: (report: Report) => TestCounts): void {
  testCounts.push(
    existsSync(file)
      ? read(JSON.parse(readFileSync(file, 'utf8')) as Report)
      : { passed: 0, failed: 1 },
  )
}

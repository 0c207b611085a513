/** What the reports of Vitest and Playwright say about a run. */
import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { ROOT } from './command.ts'
import type { TimeSpan } from './standstills.ts'

export type FailedFile = TimeSpan & { path: string }

/** `mayRepeat`: nothing failed outside of tests, and the books agreed. */
export type TestReport = {
  /** Tests of files without a failed one. */
  passed: number
  passedBesideFailures: number
  failures: string[]
  /** Journeys that failed once and then passed, with that failure. */
  flaky: string[]
  failedFiles: FailedFile[]
  mayRepeat: boolean
}

/** Of Playwright's report. */
type JourneyError = { message?: string; location?: { file: string; line: number } }
type JourneyResult = {
  startTime: string
  /** ms */
  duration: number
  error?: JourneyError
  attachments?: { name: string; path?: string }[]
}

const MOST_PAGE_LINES = 400
const MOST_MESSAGE_LINES = 12
const MOST_SUMMARY_CHARACTERS = 500
const JOURNEYS = 'tests/journeys'
const NO_REPORT: TestReport = {
  passed: 0,
  passedBesideFailures: 0,
  failures: ['The tests ended before their report was written'],
  flaky: [],
  failedFiles: [],
  mayRepeat: false,
}

/** Of the final check of each test file; money that is wrong once is wrong. */
const BROKEN_BOOKS = /broken invariants of the books/

/**
 * A file that does not load, or whose final check of the books fails, is a failure without a failed
 * test.
 */
export function readVitest(file: string, unhandledErrors: readonly string[]): TestReport {
  type Test = { status: string; fullName: string; failureMessages: string[] }
  type Suite = {
    name: string
    status: string
    message: string
    startTime: number
    endTime: number
    assertionResults: Test[]
  }
  const report = readReport<{ testResults: Suite[] }>(file)
  if (!report) return NO_REPORT
  const countPassed = (files: Suite[]): number =>
    files.flatMap(one => one.assertionResults).filter(({ status }) => status === 'passed').length
  const [failed, good] = [
    report.testResults.filter(({ status }) => status === 'failed'),
    report.testResults.filter(({ status }) => status !== 'failed'),
  ]
  const failures = failed.flatMap(({ name, message, assertionResults }) => {
    const path = relative(ROOT, name)
    const tests = assertionResults.filter(one => one.status === 'failed')
    return tests.length === 0
      ? [describeFailure(path, message)]
      : tests.map(one =>
          describeFailure(`${path} > ${one.fullName}`, one.failureMessages.join('\n')),
        )
  })
  return {
    passed: countPassed(good),
    passedBesideFailures: countPassed(failed),
    failures: [...failures, ...unhandledErrors.map(text => describeFailure(OUTSIDE, text))],
    flaky: [],
    failedFiles: failed.map(({ name, startTime, endTime }) => ({
      path: relative(ROOT, name),
      from: startTime,
      to: endTime,
    })),
    mayRepeat: unhandledErrors.length === 0 && !BROKEN_BOOKS.test(JSON.stringify(failed)),
  }
}

export function readPlaywright(file: string): TestReport {
  type Spec = {
    title: string
    file: string
    line: number
    tests: { status: string; results: JourneyResult[] }[]
  }
  type Suite = { specs: Spec[]; suites?: Suite[] }
  const report = readReport<{ suites: Suite[]; errors: JourneyError[] }>(file)
  if (!report) return NO_REPORT
  const specsOf = ({ specs, suites = [] }: Suite): Spec[] => [...specs, ...suites.flatMap(specsOf)]
  const journeys = report.suites.flatMap(specsOf).flatMap(({ title, file, line, tests }) => {
    const path = `${JOURNEYS}/${file}`
    return tests.map(({ status, results }) => ({
      status,
      results,
      path,
      name: `${path}:${line} > ${title}`,
    }))
  })
  const withStatus = (status: string) => journeys.filter(one => one.status === status)
  const failed = withStatus('unexpected')
  const failedPaths = new Set(failed.map(({ path }) => path))
  const passed = [...withStatus('expected'), ...withStatus('flaky')]
  const passedBesideFailures = passed.filter(({ path }) => failedPaths.has(path)).length
  return {
    passed: passed.length - passedBesideFailures,
    passedBesideFailures,
    failures: [
      ...failed.map(describeJourney),
      ...report.errors.map(error => describeFailure(OUTSIDE, messageOf(error))),
    ],
    flaky: withStatus('flaky').map(describeJourney),
    failedFiles: failed.flatMap(({ path, results }) =>
      results.map(({ startTime, duration }) => {
        const from = Date.parse(startTime)
        return { path, from, to: from + duration }
      }),
    ),
    mayRepeat: report.errors.length === 0,
  }
}

const OUTSIDE = 'Outside of the tests'

/** A failure in one line, without the page. */
export function summarizeFailure(failure: string): string {
  const [name, ...reason] = failure
    .split(/\n\s*\n/)[0]!
    .split('\n')
    .map(line => line.trim())
  const line = `${name}: ${reason.join(' | ')}`
  return line.length > MOST_SUMMARY_CHARACTERS
    ? `${line.slice(0, MOST_SUMMARY_CHARACTERS - 1)}…`
    : line
}

/** What each attempt said, and what the page showed at the first one: Playwright prints only where it stored that. */
function describeJourney({ name, results }: { name: string; results: JourneyResult[] }): string {
  const [first, second] = results.map(({ error = {} }) => messageOf(error))
  const reasonOf = (message: string): string => message.split('Call log:')[0]!
  const { path } = results[0]?.attachments?.find(one => one.name === 'error-context') ?? {}
  return [
    describeFailure(name, first ?? ''),
    ...(path && existsSync(path) ? ['', ...pageIn(readFileSync(path, 'utf8'))] : []),
    ...(first && second && reasonOf(first) !== reasonOf(second)
      ? ['', describeFailure('The second time', second)]
      : []),
  ].join('\n    ')
}

function messageOf({ message = '', location }: JourneyError): string {
  const place = location && `at ${relative(ROOT, location.file)}:${location.line}`
  return [place, message].filter(Boolean).join('\n')
}

/** Without the source of the test. */
const pageIn = (errorContext: string): string[] =>
  (/```yaml\n([^]*?)\n```/.exec(errorContext)?.[1] ?? '').split('\n').slice(0, MOST_PAGE_LINES)

/** The name and the first lines of the message. */
function describeFailure(name: string, message: string): string {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .filter(line => line.trim() !== '')
  return [name, ...lines.slice(0, MOST_MESSAGE_LINES)].join('\n    ')
}

/** Null if the run ended before it was written. */
const readReport = <Report>(file: string): Report | null =>
  existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Report) : null

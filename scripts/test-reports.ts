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
type JourneyResult = {
  startTime: string
  /** ms */
  duration: number
  error?: { message?: string }
  attachments?: { name: string; path?: string }[]
}

const MOST_PAGE_LINES = 400
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
export function readVitest(file: string, unhandledErrors: number): TestReport {
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
    failures,
    flaky: [],
    failedFiles: failed.map(({ name, startTime, endTime }) => ({
      path: relative(ROOT, name),
      from: startTime,
      to: endTime,
    })),
    mayRepeat: unhandledErrors === 0 && !BROKEN_BOOKS.test(JSON.stringify(failed)),
  }
}

export function readPlaywright(file: string): TestReport {
  type Spec = { title: string; file: string; tests: { status: string; results: JourneyResult[] }[] }
  type Suite = { specs: Spec[]; suites?: Suite[] }
  type Report = {
    stats: { expected: number; flaky: number }
    suites: Suite[]
    errors: unknown[]
  }
  const report = readReport<Report>(file)
  if (!report) return NO_REPORT
  const specsOf = ({ specs, suites = [] }: Suite): Spec[] => [...specs, ...suites.flatMap(specsOf)]
  const specs = report.suites.flatMap(specsOf)
  const withStatus = (status: string) =>
    specs.flatMap(spec =>
      spec.tests
        .filter(one => one.status === status)
        .map(({ results }) => ({ ...spec, name: `${spec.file} > ${spec.title}`, results })),
    )
  const failed = withStatus('unexpected')
  return {
    // Only the failed journeys of a file run again.
    passed: report.stats.expected + report.stats.flaky,
    passedBesideFailures: 0,
    failures: failed.map(({ name, results }) => describeJourney(name, results.at(-1))),
    flaky: withStatus('flaky').map(({ name, results }) => describeJourney(name, results[0])),
    failedFiles: failed.flatMap(({ file: path, results }) =>
      results.map(({ startTime, duration }) => {
        const from = Date.parse(startTime)
        return { path, from, to: from + duration }
      }),
    ),
    mayRepeat: report.errors.length === 0,
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

/** Null if the run ended before it was written. */
const readReport = <Report>(file: string): Report | null =>
  existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Report) : null

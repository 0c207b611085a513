import { mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { ROOT } from './command.ts'
import { readPlaywright, readVitest, summarizeFailure } from './test-reports.ts'

const folder = await mkdtemp(join(inject('runFolder'), 'reports-'))

async function fileOf(name: string, content: unknown): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

const attempt = (message?: string, path?: string) => ({
  startTime: '2026-11-30T12:00:00.000Z',
  duration: 2_000,
  ...(message && {
    error: { message, location: { file: join(ROOT, 'tests/journeys/void.test.ts'), line: 109 } },
  }),
  attachments: path ? [{ name: 'error-context', path }] : [],
})
const journey = (file: string, title: string, status: string, results: unknown[]) => ({
  specs: [{ title, file, line: 97, tests: [{ status, results }] }],
})

test('a failed journey is named with its file, its reason, and the page without the source of the test', async () => {
  const context = await fileOf(
    'error-context.md',
    '# Error details\n\nfaded\n\n# Page snapshot\n\n```yaml\n- checkbox "All"\n```\n\n# Test source\n\n  1 | import\n',
  )
  const message =
    '\u001b[31mError: its dash is seen\u001b[39m\n\nExpected: "black"\nReceived: "gray"'
  const report = readPlaywright(
    await fileOf('playwright.json', {
      suites: [
        journey('void.test.ts', 'labels are voided', 'unexpected', [
          attempt(message, context),
          attempt('Error: closed'),
        ]),
        journey('void.test.ts', 'labels are chosen', 'expected', [attempt()]),
        journey('wallet.test.ts', 'charts are drawn', 'flaky', [attempt('Error: late'), attempt()]),
      ],
      errors: [],
    }),
  )
  expect(report).toMatchObject({ passed: 1, passedBesideFailures: 1, mayRepeat: true })
  expect(report.flaky.map(summarizeFailure)).toEqual([
    'tests/journeys/wallet.test.ts:97 > charts are drawn: at tests/journeys/void.test.ts:109 | Error: late',
  ])
  expect(report.failures).toHaveLength(1)
  expect(report.failures[0]).toContain('checkbox "All"')
  expect(report.failures[0]).toContain('The second time')
  expect(report.failures[0]).not.toContain('import')
  expect(summarizeFailure(report.failures[0]!)).toBe(
    'tests/journeys/void.test.ts:97 > labels are voided: at tests/journeys/void.test.ts:109'
      + ' | Error: its dash is seen | Expected: "black" | Received: "gray"',
  )
  expect(report.failedFiles.map(({ path }) => path)).toEqual([
    'tests/journeys/void.test.ts',
    'tests/journeys/void.test.ts',
  ])
})

test('what is thrown outside of tests is named too, and long reasons are cut', async () => {
  const errors = [{ message: 'Error: the server did not start' }]
  const { failures, mayRepeat } = readPlaywright(await fileOf('none.json', { suites: [], errors }))
  expect(failures.map(summarizeFailure)).toEqual([
    'Outside of the tests: Error: the server did not start',
  ])
  expect(mayRepeat).toBe(false)

  const report = await fileOf('vitest.json', { testResults: [] })
  const { failures: thrown } = readVitest(report, [`Error: ${'long '.repeat(200)}`])
  expect(thrown.map(summarizeFailure)).toEqual([
    expect.stringMatching(/^Outside of the tests: Error: long .{450,480}…$/),
  ])
})

/**
 * The closed list of codes: each is used, well formed and documented. docs/refusals.md is made from
 * it; after a change run `npx vitest run --project modules tests/refusals -u`.
 */
import { expect, test } from 'vitest'
import { FIELD_FAULTS } from '#contract/faults.ts'
import type { CodeEntry } from '#contract/faults.ts'
import { REFUSALS } from '#contract/refusals.ts'
import { WARNINGS } from '#contract/warnings.ts'
import { REFUSAL_PAGE_POLICY } from '#server/platform/http/refusal-page.ts'
import { checkRefusalShape } from '#tests/support/refusal-shape.ts'
import { projectFiles, readProjectFile } from '#tests/support/source.ts'

const CODES = Object.entries<CodeEntry>(REFUSALS)
const isField = (code: string): boolean => Object.hasOwn(FIELD_FAULTS, code)

/** Sources that refuse, by their path. */
const SOURCES = projectFiles('{server,contract}/**/*.ts')
  .filter(path => !/\.test\.ts$|contract\/(?:refusals|faults)\.ts$/.test(path))
  .map(path => [path, readProjectFile(path)] as const)

test('every code of the list is one that a request can get', () => {
  const refusing = SOURCES.filter(([, text]) => /Refusal|Fault|refuseField/.test(text))
  const used = new Set(
    refusing.flatMap(([, text]) =>
      [...text.matchAll(/'([a-z]+(?:_[a-z]+)*)'/g)].map(([, at]) => at),
    ),
  )
  expect(CODES.map(([code]) => code).filter(code => !used.has(code))).toEqual([])
})

test('a code is plain words, and its meaning and remedy are sentences', () => {
  const wrong = CODES.filter(
    ([code, { meaning, remedy }]) =>
      !/^[a-z]+(?:_[a-z]+)*$/.test(code)
      || ![meaning, remedy].every(text => /^[A-Z0-9].*[.]$/.test(text)),
  )
  expect(wrong.map(([code]) => code)).toEqual([])
})

test('no code of a field stands in the list twice', () => {
  const text = readProjectFile('contract/refusals.ts')
  const written = [...text.matchAll(/^ {4}([a-z_]+): \[/gm)].map(([, code]) => code!)
  expect(written.filter((code, at) => isField(code) || written.indexOf(code) !== at)).toEqual([])
  expect(written.length + Object.keys(FIELD_FAULTS).length).toBe(CODES.length)
})

test('nothing is refused but by a Refusal, which has a code', () => {
  // Each answers in a form of its own: a health check, metrics, the pages, the payment sandbox.
  const own = /\/(?:health|metrics|web-pages|raw-response|error-handler)\.ts$|payments\/sandbox\//
  const answers = SOURCES.filter(
    ([path, text]) =>
      !own.test(path)
      && /(?:\.code|\.status|writeHead)\(\s*[45]\d\d|statusCode = [45]\d\d|error: message/.test(
        text,
      ),
  )
  expect(answers.map(([path]) => path)).toEqual([])
})

const cell = (text: string): string => text.replaceAll('|', '\\|')
const table = (head: string[], lines: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...lines]
    .map(line => `| ${line.map(cell).join(' | ')} |`)
    .join('\n')

test('docs/refusals.md has every code, with what it means and what to do', async () => {
  const byCode = CODES.toSorted(([a], [b]) => (a < b ? -1 : 1))
  const document = [
    '# Codes of refusals',
    'Made from `contract/refusals.ts`, `contract/faults.ts` and `contract/warnings.ts`. '
      + 'How to use them: [programs.md](programs.md#errors).',
    '## Of a refused request',
    table(
      ['Status', 'Code', 'Meaning', 'What to do'],
      byCode
        .filter(([code]) => !isField(code))
        .toSorted(([, a], [, b]) => a.status - b.status)
        .map(([code, { status, meaning, remedy }]) => [
          String(status),
          `\`${code}\``,
          meaning,
          remedy,
        ]),
    ),
    '## Of a field',
    'In `codes`. A refused form has the code of its first field, with status 422; a request that '
      + 'does not fit the description of the call has `request_invalid`, with status 400.',
    table(
      ['Code', 'Meaning', 'What to do'],
      byCode
        .filter(([code]) => isField(code))
        .map(([code, { meaning, remedy }]) => [`\`${code}\``, meaning, remedy]),
    ),
    '## Of a warning',
    'In `warnings` of an accepted purchase.',
    table(
      ['Code', 'Meaning', 'What to do'],
      Object.entries(WARNINGS).map(([code, [meaning, remedy]]) => [`\`${code}\``, meaning, remedy]),
    ),
  ].join('\n\n')
  await expect(`${document}\n`).toMatchFileSnapshot('../docs/refusals.md')
})

test('a page instead of a refusal is found, unless it is the one for browsers', () => {
  const page = { statusCode: 404, body: '<!doctype html><title>Evenpost</title>' }
  const type = { 'content-type': 'text/html; charset=utf-8' }
  const check = (headers: object) => () =>
    checkRefusalShape('/api/orders', { ...page, headers: { ...type, ...headers } })
  expect(check({})).toThrow('JSON')
  expect(check({ 'content-security-policy': REFUSAL_PAGE_POLICY })).not.toThrow()
})

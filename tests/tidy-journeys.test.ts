/** Helpers of journeys that wait where the browser itself may be too early. */
import { expect, test } from 'vitest'
import { projectFiles, readProjectFile } from '#tests/support/source.ts'

test.each([
  {
    what: 'answer requests',
    helper: 'intercept.ts',
    pattern: /\.route\(/,
    remedy: 'route() may return too early for a loaded page: use intercept()',
  },
  {
    what: 'read colors',
    helper: 'page-helpers.ts',
    pattern: /getComputedStyle\([^)]*\)(\[|\.(color|backgroundColor|borderColor|opacity))/,
    remedy: 'a color may still fade: use colorOf() or toHaveCSS()',
  },
])('journeys $what by one helper', ({ helper, pattern, remedy }) => {
  const complaints = projectFiles('tests/journeys/**/*.ts')
    .filter(path => path !== `tests/journeys/${helper}`)
    .filter(path => pattern.test(readProjectFile(path)))
    .map(path => `${path}: ${remedy}`)
  expect(complaints).toEqual([])
})

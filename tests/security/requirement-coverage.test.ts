import { expect, test } from 'vitest'
import { projectFiles, readProjectFile } from '#tests/support/source.ts'

/** Where numbered tests live: these, and those that need a browser. */
const FILES = ['tests/security/*.test.ts', 'tests/journeys/security.test.ts']

test('each of the 79 lines has a test, and docs/security.md names each', () => {
  const numbers = FILES.flatMap(projectFiles).flatMap(path =>
    Array.from(readProjectFile(path).matchAll(/^\w+\(\s*'(\d\d) /gm), match => Number(match[1])),
  )
  const all = Array.from({ length: 79 }, (_, i) => i + 1)
  expect([...new Set(numbers)].toSorted((a, b) => a - b)).toEqual(all)
  const listed = Array.from(readProjectFile('docs/security.md').matchAll(/^\| (\d+) \|/gm), match =>
    Number(match[1]),
  )
  expect(listed).toEqual(all)
})

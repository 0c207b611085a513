import { expect, test } from 'vitest'
import { codeParts } from './code-parts.ts'

const partsOf = (code: string) =>
  codeParts(code).map(({ kind, start, end }) => [kind, code.slice(start, end)])

test('keys, strings and options of a snippet are told apart', () => {
  expect(partsOf('curl -H "Accept: x" \\\n  -d \'{ "name": "Ana \\"A\\"", "zip": 7 }\'')).toEqual([
    ['flag', '-H'],
    ['string', '"Accept: x"'],
    ['flag', '-d'],
    ['key', '"name"'],
    ['string', '"Ana \\"A\\""'],
    ['key', '"zip"'],
  ])
  expect(partsOf("await fetch('/api/key')\nconst left = 3 -1")).toEqual([['string', "'/api/key'"]])
})

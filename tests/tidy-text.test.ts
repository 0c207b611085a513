// A structural rule: which code may normalize text. Each complaint is a line `file:line problem, and what to do instead`.
import { expect, test } from 'vitest'
import { readSources } from '#tests/support/source.ts'
import type { Node } from '#tests/support/source.ts'

/** The method of `text.normalize()`. */
const methodOf = (node: Node): unknown =>
  node.type === 'CallExpression'
    ? ((node.callee as Node).property as Node | undefined)?.name
    : undefined

test('text is normalized in contract/text.ts only', () => {
  const complaints = readSources()
    .filter(
      ({ isTest, path }) => !isTest && !path.startsWith('tests/') && path !== 'contract/text.ts',
    )
    .flatMap(source =>
      source.nodes
        .filter(node => methodOf(node) === 'normalize')
        .map(
          node =>
            `${source.path}:${source.lineOf(node)} calls normalize, which is quadratic for some texts: `
            + 'use normalizeText of contract/text.ts',
        ),
    )
  expect(complaints).toEqual([])
})

// A structural rule: which code may normalize text. Each complaint is a line `file:line problem, and what to do instead`.
import { expect, test } from 'vitest'
import { projectFiles, readProjectFile, readSource } from '#tests/support/source.ts'
import type { Node } from '#tests/support/source.ts'

/** The method of `text.normalize()`. */
const methodOf = (node: Node): unknown =>
  node.type === 'CallExpression'
    ? ((node.callee as Node).property as Node | undefined)?.name
    : undefined

test('text is normalized in contract/text.ts only', () => {
  const complaints = projectFiles('{contract,server,web,scripts}/**/*.{ts,tsx}')
    .filter(path => path !== 'contract/text.ts' && !/\.test\.tsx?$/.test(path))
    .flatMap(path => {
      const text = readProjectFile(path)
      // Parsing all files takes seconds, and few have the word.
      if (!text.includes('normalize')) return []
      const source = readSource(path, text)
      return source.nodes
        .filter(node => methodOf(node) === 'normalize')
        .map(
          node =>
            `${path}:${source.lineOf(node)} calls normalize, which is quadratic for some texts: `
            + 'use normalizeText of contract/text.ts',
        )
    })
  expect(complaints).toEqual([])
})

import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { useIsUnchanged } from './use-is-unchanged.ts'

function Probe({ onRender }: { onRender: (isUnchanged: () => boolean) => void }) {
  onRender(useIsUnchanged(['5', Number.NaN, null]))
  return null
}

test('a form in which nothing was typed is unchanged, also with a field that holds no number', () => {
  const checks: (() => boolean)[] = []
  renderToString(createElement(Probe, { onRender: check => checks.push(check) }))
  expect(checks.map(isUnchanged => isUnchanged())).toEqual([true])
})

import { expect, test } from 'vitest'
import { usedCss } from './used-css.ts'

const MARKUP = '<p class="_shown_abc12_1" style="color:var(--ink)">'

test('rules for classes that the page has stay, others go', () => {
  const css =
    'p{margin:0}._shown_abc12_1,._other_abc12_7{top:0}._other_abc12_7{top:1px}'
    + '@media (width<9px){._shown_abc12_1 svg{top:2px}._shown_abc12_1>._other_abc12_7{top:3px}}'
  expect(usedCss(css, MARKUP)).toBe(
    'p{margin:0}._shown_abc12_1,._other_abc12_7{top:0}@media (width<9px){._shown_abc12_1 svg{top:2px}}',
  )
})

test('a rule that excludes a class of other pages stays', () => {
  const css = '._shown_abc12_1:not(._other_abc12_7,._more_abc12_9){top:0}'
  expect(usedCss(css, MARKUP)).toBe(css)
})

test('variables that only unused ones need go too', () => {
  const css = ':root{--ink:var(--black);--black:#000;--far:var(--near);--near:red;color:var(--ink)}'
  expect(usedCss(css, MARKUP)).toBe(':root{--ink:var(--black);--black:#000;color:var(--ink)}')
})

test('fonts and animations stay', () => {
  const css = '@font-face{font-family:Geist;src:url(/a.woff2)}@keyframes turn{to{rotate:1turn}}'
  expect(usedCss(css, MARKUP)).toBe(css)
})

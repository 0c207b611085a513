// What people read stands in texts.ts of its room (or content.ts of the landing page), so that languages can be added without
// touching logic. Looked for where words get to the screen: between tags, and in attributes and calls that are read or spoken.
import { expect, test } from 'vitest'
import { readSource, readSources } from '#tests/support/source.ts'
import type { Node, Source } from '#tests/support/source.ts'

/** Attributes whose text is read or heard. */
const TEXT_ATTRIBUTES = new Set([
  'label',
  'title',
  'placeholder',
  'alt',
  'aria-label',
  'aria-description',
  'aria-roledescription',
  'name',
  'text',
  'description',
  'head',
  'question',
  'thing',
  'confirm',
  'cancel',
  'disabledReason',
  'closeDisabledReason',
  'error',
  'loadingText',
  'empty',
  'tooltip',
])
/** Calls that put their text before people. */
const TEXT_CALLS = new Set([
  'toastSuccess',
  'toastError',
  'notifyPage',
  'announce',
  'useDocumentTitle',
  'messageOf',
])
/** Where texts live. */
const TEXT_FILES = /(^|\/)(texts|content|questions)\.ts$/

/** Left of a text that is words: not a sign, a unit sign or a place for a value. */
const isWords = (text: string): boolean => /\p{L}{2}/u.test(text.replace(/\{\{\w+\}\}/g, ''))
/** 'Order Label', 'Balance': written for people, where 'PackageWeight' and 'orderId' are written for programs. */
const isForPeople = (text: string): boolean => /^\p{Lu}\p{Ll}+$/u.test(text) || isPhrase(text)
const isPhrase = (text: string): boolean => /^\p{Lu}.*\p{L} \p{L}{2}/u.test(text)

/** The texts of an expression that ends up on the screen: 'a', `b ${c}`, d ? 'e' : 'f', g && 'h'. */
function textsIn(node: Node | null | undefined): { node: Node; text: string }[] {
  switch (node?.type) {
    case 'Literal':
      return typeof node.value === 'string' ? [{ node, text: node.value }] : []
    case 'TemplateLiteral':
      return (node.quasis as Node[]).map(part => ({
        node: part,
        text: (part.value as { raw: string }).raw,
      }))
    case 'ConditionalExpression':
      return [...textsIn(node.consequent as Node), ...textsIn(node.alternate as Node)]
    case 'LogicalExpression':
      return [...textsIn(node.left as Node), ...textsIn(node.right as Node)]
    case 'JSXExpressionContainer':
      return textsIn(node.expression as Node)
    default:
      return []
  }
}

const nameOf = (node: unknown): string => String((node as Node | undefined)?.name ?? '')

/** Complaints to programmers stay where they are raised. */
const isForDevelopers = (node: Node): boolean =>
  (node.type === 'NewExpression' && nameOf(node.callee).endsWith('Error'))
  || (node.type === 'CallExpression' && nameOf((node.callee as Node).object) === 'console')

function findStrayTexts(source: Source): { node: Node; text: string }[] {
  const forUs = source.nodes.filter(isForDevelopers)
  return source.nodes
    .flatMap(node => {
      if (node.type === 'JSXText') return [{ node, text: String(node.value) }]
      if (node.type === 'JSXElement' || node.type === 'JSXFragment') {
        return (node.children as Node[])
          .filter(child => child.type === 'JSXExpressionContainer')
          .flatMap(child => textsIn(child))
      }
      if (node.type === 'JSXAttribute' && TEXT_ATTRIBUTES.has(nameOf(node.name))) {
        const found = textsIn(node.value as Node)
        return nameOf(node.name) === 'name' ? found.filter(({ text }) => isForPeople(text)) : found
      }
      if (node.type === 'Property' && TEXT_ATTRIBUTES.has(nameOf(node.key))) {
        return textsIn(node.value as Node).filter(({ text }) => isForPeople(text))
      }
      if (node.type === 'CallExpression' && TEXT_CALLS.has(nameOf(node.callee)))
        return (node.arguments as Node[]).slice(-1).flatMap(textsIn)
      // Wherever else a whole phrase stands, it is meant for somebody.
      if (node.type === 'Literal') return textsIn(node).filter(({ text }) => isPhrase(text))
      return []
    })
    .filter(
      ({ node, text }) =>
        isWords(text) && !forUs.some(({ start, end }) => start <= node.start && node.end <= end),
    )
}

const pages = readSources().filter(
  ({ path, isTest }) => path.startsWith('web/') && !isTest && !TEXT_FILES.test(path),
)

test('a stray word is seen wherever it hides, and what programs read is left alone', () => {
  const seen = (code: string) =>
    [
      ...new Set(findStrayTexts(readSource('web/x.tsx', code)).map(({ text }) => text.trim())),
    ].toSorted()
  expect(seen('const A = () => <p>Pay now {ok ? `Paid ${n}` : "Open"}</p>')).toEqual([
    'Open',
    'Paid',
    'Pay now',
  ])
  expect(
    seen(
      'const A = <Field label="Street" name="ToStreet1" aria-label={texts.street} className="big box" />',
    ),
  ).toEqual(['Street'])
  expect(
    seen(
      'const PLACES = [{ title: "Orders", path: "/main/orders" }]; toastError(reason, "Not saved")',
    ),
  ).toEqual(['Not saved', 'Orders'])
  expect(
    seen('const text = "Nothing was sold today"; throw new Error("No such thing here")'),
  ).toEqual(['Nothing was sold today'])
})

test('words that people read stand in the texts of their room', () => {
  expect(pages.length).toBeGreaterThan(50)
  const complaints = pages.flatMap(source =>
    findStrayTexts(source).map(
      ({ node, text }) =>
        `${source.path}:${source.lineOf(node)} says '${text.trim()}': move it to ${source.path.split('/').slice(0, 2).join('/')}/texts.ts`,
    ),
  )
  expect([...new Set(complaints)]).toEqual([])
})

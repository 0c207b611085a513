// Texts of the screen are in the texts.ts of their module (or content.ts of the landing page), so that a language can be added
// without touching logic. This looks where text reaches the screen: between tags, and in attributes and calls that show or speak it.
import { expect, test } from 'vitest'
import { readSource, readSources } from '#tests/support/source.ts'
import type { Node, Source } from '#tests/support/source.ts'

/** Attributes and options whose text is shown or spoken. */
const TEXT_ATTRIBUTES = new Set([
  'label',
  'title',
  'placeholder',
  'alt',
  'aria-label',
  'aria-description',
  'aria-roledescription',
  'name',
  'part',
  'text',
  'hint',
  'note',
  'summary',
  'description',
  'detail',
  'details',
  'head',
  'question',
  'confirmLabel',
  'cancelLabel',
  'closeButton',
  'submitName',
  'selectAllLabel',
  'disabledReason',
  'closeDisabledReason',
  'unavailableReason',
  'error',
  'errorText',
  'errorToast',
  'fallbackMessage',
  'foundText',
  'lastText',
  'loadingText',
  'copied',
  'empty',
  'tooltip',
])
/** Calls that show or speak their last argument. */
const TEXT_CALLS = new Set([
  'toastSuccess',
  'toastError',
  'notifyPage',
  'announce',
  'useDocumentTitle',
  'messageOf',
])
const TEXT_FILES = /(^|\/)(texts|content)\.ts$/
/** Columns and cells of files, which have their names in every language. */
const FILE_CONTENTS = /^web\/batches\/(import\/sources\/|bulk\/files\/sample-file\.ts$)/

/** Whether a text has words: more than signs, units and placeholders. */
const isWords = (text: string): boolean => /\p{L}{2}/u.test(text.replace(/\{\{[#/^]?\w+\}\}/g, ''))
/** 'Order Label' and 'Balance' are for people; 'PackageWeight' and 'orderId' are for programs. */
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

/** Errors and console messages stay where they are raised. */
const isForDevelopers = (node: Node): boolean =>
  (node.type === 'NewExpression' && nameOf(node.callee).endsWith('Error'))
  || (node.type === 'CallExpression' && nameOf((node.callee as Node).object) === 'console')

function findStrayTexts(source: Source): { node: Node; text: string }[] {
  const forDevelopers = source.nodes.filter(isForDevelopers)
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
      // A whole phrase anywhere else is a text too.
      if (node.type === 'Literal') return textsIn(node).filter(({ text }) => isPhrase(text))
      return []
    })
    .filter(
      ({ node, text }) =>
        isWords(text)
        && !forDevelopers.some(({ start, end }) => start <= node.start && node.end <= end),
    )
}

const pages = readSources().filter(
  ({ path, isTest }) =>
    path.startsWith('web/') && !isTest && !TEXT_FILES.test(path) && !FILE_CONTENTS.test(path),
)

test('a stray text is found in every place, and names for programs are left alone', () => {
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
    seen('const A = <ConfirmDialog confirmLabel="Delete" cancelLabel={`Keep`} foundText="none" />'),
  ).toEqual(['Delete', 'Keep', 'none'])
  expect(
    seen(
      'const PLACES = [{ title: "Orders", path: "/main/orders" }]; toastError(reason, "Not saved")',
    ),
  ).toEqual(['Not saved', 'Orders'])
  expect(
    seen('const text = "Nothing was sold today"; throw new Error("No such thing here")'),
  ).toEqual(['Nothing was sold today'])
})

test('texts of the screen are in the texts file of their module', () => {
  expect(pages.length).toBeGreaterThan(50)
  const complaints = pages.flatMap(source =>
    findStrayTexts(source).map(
      ({ node, text }) =>
        `${source.path}:${source.lineOf(node)} says '${text.trim()}': move it to ${source.path.split('/').slice(0, 2).join('/')}/texts.ts`,
    ),
  )
  expect([...new Set(complaints)]).toEqual([])
})

/** Code that makes a call, in three languages. */
import type { Example } from '#contract/openapi/example.ts'

export type SnippetCall = { method: string; path: string; isFile: boolean; example: Example }

/** Replaced by the server's address when the page is served (contract/page-template.ts). */
const SERVER = '{{url}}'
const INDENT = 2

/** '/api/orders/17?limit=50' */
function addressOf({ path, example: { params = {}, query = {} } }: SnippetCall): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => params[name]!)
  const asked = new URLSearchParams(
    Object.entries(query).map(([name, value]) => [name, String(value)]),
  )
  // Ids with commas are easier to read as they are.
  return asked.size > 0 ? `${filled}?${asked.toString().replaceAll('%2C', ',')}` : filled
}

const json = (value: unknown): string => JSON.stringify(value, null, INDENT)

/** In single quotes of a shell. */
const shellText = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

export function curlSnippet(call: SnippetCall): string {
  const { method, example, isFile } = call
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${shellText(SERVER + addressOf(call))}`,
    '-H "Authorization: Bearer $EVENPOST_KEY"',
    ...(example.body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d ${shellText(json(example.body))}`]),
    ...(isFile ? ['-OJ'] : []),
  ]
  return lines.join(' \\\n  ')
}

const indented = (text: string, by: number): string => text.replaceAll('\n', `\n${' '.repeat(by)}`)

const AUTHORIZATION = 'authorization: `Bearer ${process.env.EVENPOST_KEY}`'

export function nodeSnippet(call: SnippetCall): string {
  const { method, example, isFile } = call
  const hasBody = example.body !== undefined
  const options = [
    ...(method === 'GET' ? [] : [`method: '${method}'`]),
    hasBody
      ? `headers: {\n    ${AUTHORIZATION},\n    'content-type': 'application/json',\n  }`
      : `headers: { ${AUTHORIZATION} }`,
    ...(hasBody ? [`body: JSON.stringify(${indented(json(example.body), INDENT)})`] : []),
  ]
  return [
    `const response = await fetch('${SERVER}${addressOf(call)}', {`,
    ...options.map(option => `  ${option},`),
    '})',
    ...(isFile
      ? [
          'if (!response.ok) throw new Error((await response.json()).message)',
          'const file = await response.bytes()',
        ]
      : [
          'const answer = await response.json()',
          'if (!response.ok) throw new Error(`${answer.code}: ${answer.message}`)',
        ]),
  ].join('\n')
}

/** JSON as Python writes it. Texts of examples hold none of these words. */
const pythonValue = (value: unknown): string =>
  json(value)
    .replace(/: true\b/g, ': True')
    .replace(/: false\b/g, ': False')
    .replace(/: null\b/g, ': None')

export function pythonSnippet(call: SnippetCall): string {
  const { method, example, isFile } = call
  const parts = [
    `'${SERVER}${addressOf(call)}'`,
    `headers={'Authorization': f"Bearer {os.environ['EVENPOST_KEY']}"}`,
    ...(example.body === undefined ? [] : [`json=${indented(pythonValue(example.body), 4)}`]),
  ]
  return [
    'import os, requests',
    '',
    `response = requests.${method.toLowerCase()}(`,
    ...parts.map(part => `    ${part},`),
    ')',
    ...(isFile
      ? ['response.raise_for_status()', 'file = response.content']
      : [
          'answer = response.json()',
          'if not response.ok:',
          `    raise RuntimeError(f"{answer['code']}: {answer['message']}")`,
        ]),
  ].join('\n')
}

export const LANGUAGES = [
  { id: 'curl', write: curlSnippet },
  { id: 'node', write: nodeSnippet },
  { id: 'python', write: pythonSnippet },
] as const
export type LanguageId = (typeof LANGUAGES)[number]['id']

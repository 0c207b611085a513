import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseSync } from 'vite'

export const ROOT = dirname(dirname(import.meta.dirname))

export type Import = {
  /** As it is written: './rules.ts', '#server/ledger/rules.ts', 'zod'. */
  from: string
  typeOnly: boolean
}

/** One parsed source file of the project. `path` is relative to the project, with forward slashes. */
export type Source = {
  path: string
  text: string
  lines: string[]
  isTest: boolean
  imports: Import[]
  nodes: Node[]
  /** `text` without the comment signs. */
  comments: { start: number; text: string }[]
  lineOf(node: Node): number
  /** The line of an offset. */
  lineAt(offset: number): number
}

export type Node = {
  type: string
  start: number
  end: number
  [key: string]: unknown
}

const FOLDERS = '{contract,server,web,tests,scripts}'
const ignored = (path: string): boolean => /(^|\/)(node_modules|dist|test-results)(\/|$)/.test(path)

/** The paths of our files that match, relative to the project. */
export const projectFiles = (pattern: string): string[] =>
  globSync(pattern, { cwd: ROOT })
    .map(path => path.replaceAll('\\', '/'))
    .filter(path => !ignored(path))
    .sort()

/** Text of one file of the project. */
export const readProjectFile = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

let parsed: WeakRef<Source[]> | undefined

/**
 * All TypeScript of the project, kept for the next test file of the worker until V8 collects it: it takes 200 MB, and each collection
 * in the hundred files after it would read them.
 */
export function readSources(): readonly Source[] {
  const kept = parsed?.deref()
  if (kept) return kept
  const sources = projectFiles(`${FOLDERS}/**/*.{ts,tsx}`).map(path =>
    readSource(path, readProjectFile(path)),
  )
  parsed = new WeakRef(sources)
  return sources
}

/** One file of that path and text, parsed. */
export function readSource(path: string, text: string): Source {
  const { program, module, comments } = parseSync(path, text)
  const starts = [0, ...Array.from(text.matchAll(/\n/g), match => match.index + 1)]
  const lineAt = (offset: number): number => starts.findLastIndex(at => at <= offset) + 1
  return {
    path,
    text,
    lines: text.split('\n'),
    isTest: /\.test\.tsx?$/.test(path),
    imports: importsOf(module),
    nodes: nodesOf(program as unknown as Node),
    comments: comments.map(({ start, value }) => ({
      start,
      text: value.replace(/^\s*\*+ ?/gm, ''),
    })),
    lineOf: ({ start }) => lineAt(start),
    lineAt,
  }
}

function importsOf(module: ReturnType<typeof parseSync>['module']): Import[] {
  const named = module.staticImports.map(({ moduleRequest, entries }) => ({
    from: moduleRequest.value,
    typeOnly: entries.length > 0 && entries.every(entry => entry.isType),
  }))
  const passedOn = module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ moduleRequest, isType }) =>
      moduleRequest ? [{ from: moduleRequest.value, typeOnly: isType }] : [],
    ),
  )
  return [...named, ...passedOn]
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

/** A node and all below it, in the order of the text; into one list, because there are millions. */
function nodesOf(node: Node, found: Node[] = []): Node[] {
  found.push(node)
  for (const key in node) {
    const value = node[key]
    if (Array.isArray(value)) {
      for (const child of value) if (isNode(child)) nodesOf(child, found)
    } else if (isNode(value)) nodesOf(value, found)
  }
  return found
}

/** `Date.now()` → 'Date.now', `fetch()` → 'fetch', `new Date()` without arguments → 'new Date'; otherwise ''. */
export function calledName(node: Node): string {
  const callee = node.callee as Node | undefined
  if (node.type === 'NewExpression' && callee?.name === 'Date')
    return (node.arguments as Node[]).length === 0 ? 'new Date' : ''
  if (node.type !== 'CallExpression' || !callee) return ''
  if (callee.type === 'Identifier') return String(callee.name)
  if (callee.type !== 'MemberExpression') return ''
  return `${String((callee.object as Node).name ?? '')}.${String((callee.property as Node).name ?? '')}`
}

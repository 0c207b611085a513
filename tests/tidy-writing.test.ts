// The rules of CONTRIBUTING.md about language and layout. Each complaint is a line `file:line problem, and what to do instead`.

import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import {
  calledName,
  projectFiles,
  readProjectFile,
  readSources,
  ROOT,
} from '#tests/support/source.ts'
import type { Node, Source } from '#tests/support/source.ts'

const sources = readSources()

const complaint = (source: Source, node: Node | number, text: string): string =>
  `${source.path}:${typeof node === 'number' ? node : source.lineOf(node)} ${text}`

test('a line has at most 140 characters', () => {
  const complaints = projectFiles(
    '{contract,server,web,tests,scripts}/**/*.{ts,tsx,mjs,css}',
  ).flatMap(path =>
    readProjectFile(path)
      .split('\n')
      .flatMap((line, index) =>
        line.length > 140
          ? [`${path}:${index + 1} has ${line.length} characters: break the line`]
          : [],
      ),
  )
  expect(complaints).toEqual([])
})

test('no work is left for later, and no test is skipped or runs alone', () => {
  // Assembled from parts, so that this line does not match itself.
  const LATER = new RegExp(
    `\\b(${['FIX' + 'ME', 'TO' + 'DO', 'X' + 'XX', 'HA' + 'CK'].join('|')})\\b`,
  )
  const complaints = sources.flatMap(source => [
    ...source.lines.flatMap((line, index) =>
      LATER.test(line)
        ? [complaint(source, index + 1, 'leaves work for later: do it, or remove the note')]
        : [],
    ),
    ...source.nodes
      .filter(
        node =>
          node.type === 'CallExpression'
          && /^(it|test|describe)\.(only|skip|todo|fixme|fails)$/.test(calledName(node)),
      )
      .map(node => complaint(source, node, `${calledName(node)}: let the test run, or remove it`)),
  ])
  expect(complaints).toEqual([])
})

test('named exports only, no barrels, no enums, no parameter properties', () => {
  const complaints = sources
    // Vitest and Playwright load these.
    .filter(({ path }) => !/(\.config|global-setup|-reporter)\.ts$/.test(path))
    .flatMap(source =>
      source.nodes.flatMap(node => {
        if (node.type === 'ExportDefaultDeclaration')
          return [complaint(source, node, 'exports a default: use a named export')]
        if (node.type === 'ExportAllDeclaration')
          return [complaint(source, node, 're-exports a whole file: name what is re-exported')]
        if (node.type === 'TSEnumDeclaration')
          return [complaint(source, node, 'is an enum: use a union of strings')]
        if (node.type === 'TSParameterProperty')
          return [complaint(source, node, 'is a parameter property: declare the field')]
        return []
      }),
    )
  expect(complaints).toEqual([])
})

test('colors are only in web/ui/tokens.css', () => {
  const COLOR =
    /#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})\b|\b(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch)\(\s*[\d.]/i
  const complaints = projectFiles('web/**/*.{css,ts,tsx}')
    .filter(path => path !== 'web/ui/tokens.css' && !path.includes('.test.'))
    .flatMap(path =>
      readProjectFile(path)
        .split('\n')
        .flatMap((line, index) => {
          const code = line.replace(/#(web|contract)\//g, '').replace(/href="#[^"]*"/g, '')
          return COLOR.test(code)
            ? [`${path}:${index + 1} has a color: make it a token in web/ui/tokens.css`]
            : []
        }),
    )
  expect(complaints).toEqual([])
})

test('web/ui has no word of the shipping domain', () => {
  const DOMAIN =
    /\b(batch|postage|carrier|courier|shipment|parcel|tracking|wallet|deposit)(es|s)?\b/i
  const complaints = projectFiles('web/ui/**/*.{ts,tsx,css}').flatMap(path =>
    readProjectFile(path)
      .split('\n')
      .flatMap((line, index) =>
        DOMAIN.test(line)
          ? [
              `${path}:${index + 1} says '${DOMAIN.exec(line)![0]}': the UI kit is general: pass the text in`,
            ]
          : [],
      ),
  )
  expect(complaints).toEqual([])
})

/** Words this project does without, and what to write instead. Names of systems keep theirs: Unix has a user `nobody`. */
const BANNED: readonly (readonly [word: RegExp, instead: string])[] = [
  [/\b(?:whoever|who ?soever)\b/i, 'name the role: the user, the caller, the worker'],
  [/\b(?:nobody|somebody|anybody)\b/i, 'no one, another user, any caller; or name the role'],
  [/\b(?:whatever|wherever)\b/i, 'say which: every text, in each place'],
  [/\b(?:he|his|him|himself)\b/i, 'they, or the user'],
  [/\b(?:anew|heed|heeds)\b/i, 'again; apply'],
  [
    /\b(?:workshop|belongings|(?:the|this|a|our|whole) house)\b/i,
    'the server, the installation, Evenpost',
  ],
  [/\b(?:the|a|one|at the) (?:till|desk|shelf)\b/i, 'payments, the client, the cache'],
  [/\b(?:deeds?|keeper)\b/i, 'action; the function that does it'],
  [/\bat leisure\b/i, 'with its own timeout'],
]
/** Parts of identifiers that are metaphors. `warehouse` and `Household` are words of addresses. */
const BANNED_PARTS = new RegExp(
  '^(?:he|his|him|anew|whoever|nobody|somebody|anybody|wish|wishes|papers|belongings'
    + '|house|houses|workshop|till|desk|door|deed|deeds|keeper|shelf)$',
  'i',
)
const WIRE_PARTS = /^(?:NOBODY_UID|nobody)$/

const isExempt = (text: string, word: string): boolean =>
  word.toLowerCase() === 'nobody'
  && /user .?nobody\b|[`'"]nobody[`'"]|as nobody\b/i.test(text)
  && /user/i.test(text)

function bannedIn(text: string): string[] {
  return BANNED.flatMap(([word, instead]) => {
    const match = word.exec(text)
    return match && !isExempt(text, match[0]) ? [`says '${match[0]}': write ${instead}`] : []
  })
}

/** Texts of a source that people read: comments, strings with a space in them, and the words between tags. */
const proseOf = (source: Source): { line: number; text: string }[] =>
  [
    ...source.comments.map(({ start, text }) => ({ start, text })),
    ...source.nodes.flatMap(node => {
      if (node.type === 'Literal' && typeof node.value === 'string')
        return [{ start: node.start, text: node.value }]
      if (node.type === 'TemplateElement')
        return [{ start: node.start, text: String((node.value as { raw: string }).raw) }]
      if (node.type === 'JSXText') return [{ start: node.start, text: String(node.value) }]
      return []
    }),
  ]
    .filter(({ text }) => /\w \w/.test(text))
    .map(({ start, text }) => ({ line: source.lineAt(start), text }))

const isLaw = ({ path }: Source): boolean => path === 'tests/tidy-writing.test.ts'
const documents = projectFiles('{*.md,docs/**/*.md,web/**/*.md}')

test('comments, texts and documents use plain words', () => {
  const complaints = sources
    .filter(source => !isLaw(source))
    .flatMap(source =>
      proseOf(source).flatMap(({ line, text }) =>
        bannedIn(text).map(problem => `${source.path}:${line} ${problem}`),
      ),
    )
  const inDocuments = documents.flatMap(path =>
    readProjectFile(path)
      .split('\n')
      .flatMap((text, index) => bannedIn(text).map(problem => `${path}:${index + 1} ${problem}`)),
  )
  expect([...complaints, ...inDocuments]).toEqual([])
})

test('identifiers are terms of the field, not metaphors', () => {
  const complaints = sources
    .filter(source => !isLaw(source))
    .flatMap(source =>
      source.nodes
        .filter(node => node.type === 'Identifier' && !WIRE_PARTS.test(String(node.name)))
        .flatMap(node => {
          const part = String(node.name)
            .split(/(?=[A-Z][a-z])|_|(?<=[a-z])(?=[A-Z])/)
            .find(word => BANNED_PARTS.test(word))
          return part === undefined
            ? []
            : [
                complaint(
                  source,
                  node,
                  `is named '${String(node.name)}': use a term of the field for '${part}'`,
                ),
              ]
        }),
    )
  expect([...new Set(complaints)]).toEqual([])
})

test('types are named by nouns, not by bare participles', () => {
  const PARTICIPLE = /^[A-Z][a-z]*(?:ed|wn|ought|ept|iven|aken|oken|itten|nown)$/
  const IRREGULAR =
    /^(?:Made|Said|Paid|Sold|Told|Held|Kept|Seen|Done|Gone|Begun|Found|Meant|Left|Put|Read|Sent|Built)$/
  const NOUNS = new Set(['Feed', 'Need', 'Seed', 'Speed'])
  const complaints = sources.flatMap(source =>
    source.nodes
      .filter(
        node => node.type === 'TSTypeAliasDeclaration' || node.type === 'TSInterfaceDeclaration',
      )
      .filter(node => {
        const name = String((node.id as Node).name)
        return (PARTICIPLE.test(name) || IRREGULAR.test(name)) && !NOUNS.has(name)
      })
      .map(node =>
        complaint(
          source,
          node,
          `names a type '${String((node.id as Node).name)}': name the thing, e.g. ${String((node.id as Node).name)}Order`,
        ),
      ),
  )
  expect(complaints).toEqual([])
})

test('citations lead to documents of this repository', () => {
  const ELSEWHERE = /\((?:see )?(?:the )?(?:specification|architecture|facts|design)(?:,| \d|\))/i
  const anchorsOf = (path: string): Set<string> =>
    new Set(
      Array.from(readProjectFile(path).matchAll(/^#+ (.+)$/gm), ([, title]) =>
        title!
          .toLowerCase()
          .replace(/[^\p{L}\p{N} -]/gu, '')
          .replaceAll(' ', '-'),
      ),
    )
  const problemsOf = (from: string, text: string): string[] => [
    ...(ELSEWHERE.test(text)
      ? ['cites a document that is not in the repository: cite docs/… or drop it']
      : []),
    ...Array.from(text.matchAll(/\bdocs\/[\w/.-]+\.md(#[\w-]+)?/g)).flatMap(([cited, anchor]) => {
      const path = cited.replace(/#.*/, '')
      if (!existsSync(join(ROOT, path))) return [`cites ${path}, which does not exist`]
      return anchor && !anchorsOf(path).has(anchor.slice(1))
        ? [`cites ${cited}, a heading that does not exist`]
        : []
    }),
    ...(from.endsWith('.md')
      ? Array.from(text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)(#[\w-]+)?\)/g)).flatMap(
          ([, target]) =>
            existsSync(join(ROOT, dirname(from), target!))
              ? []
              : [`links to ${target}, which does not exist`],
        )
      : []),
    ...(from.endsWith('.md')
      ? Array.from(text.matchAll(/`((?:server|web|contract|tests|scripts)\/[\w./-]+\.\w+)`/g))
          .filter(([, file]) => !existsSync(join(ROOT, file!)))
          .map(([, file]) => `names ${file}, which does not exist`)
      : []),
  ]
  const complaints = [
    ...sources
      .filter(source => !isLaw(source))
      .flatMap(source =>
        source.comments.flatMap(({ start, text }) =>
          problemsOf(source.path, text).map(
            problem => `${source.path}:${source.lineAt(start)} ${problem}`,
          ),
        ),
      ),
    ...[...documents, ...projectFiles('server/**/*.sql')].flatMap(path =>
      readProjectFile(path)
        .split('\n')
        .flatMap((text, index) =>
          problemsOf(path, text).map(problem => `${path}:${index + 1} ${problem}`),
        ),
    ),
  ]
  expect(complaints).toEqual([])
})

/** Comment words per 1,000 lines of production code. More means that comments say what the code says. */
const COMMENT_BUDGET = 800

test('comments stay within their budget', () => {
  const production = sources.filter(({ isTest, path }) => !isTest && !path.startsWith('tests/'))
  const words = production
    .flatMap(({ comments }) => comments)
    .reduce(
      (sum, { text }) => sum + (text.match(/[\p{L}\p{N}][\p{L}\p{N}'’.-]*/gu)?.length ?? 0),
      0,
    )
  const lines = production.reduce((sum, source) => sum + source.lines.length - 1, 0)
  expect(Math.round((words / lines) * 1000), 'comment words per 1,000 lines').toBeLessThanOrEqual(
    COMMENT_BUDGET,
  )
})

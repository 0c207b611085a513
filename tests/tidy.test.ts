// The structural rules of CONTRIBUTING.md; tests/tidy-writing.test.ts has those of language and layout. Each complaint is a
// line `file:line problem, and what to do instead`.
import { matchesGlob } from 'node:path'
import { expect, test } from 'vitest'
import { NEEDS_PAGE_STATE, PAGE_STATE_TESTS } from '#tests/support/page-state-tests.ts'
import { calledName, projectFiles, readProjectFile, readSources } from '#tests/support/source.ts'
import type { Node, Source } from '#tests/support/source.ts'
import { OTHER_WRITERS, TABLES } from '#tests/support/table-owners.ts'

const sources = readSources()
const productionSources = sources.filter(
  ({ isTest, path }) => !isTest && !path.startsWith('tests/'),
)

const MODULES = [
  'ledger',
  'accounts',
  'referrals',
  'carriers',
  'catalogue',
  'addresses',
  'skus',
  'labels',
  'orders',
  'tracking',
  'batches',
  'adjustments',
  'voids',
  'purchasing',
  'downloads',
  'manifests',
  'payments',
  'reports',
  'support',
  'webhooks',
  'easypost',
  'admin',
]

/** What contract/ may use: pure text work that is the same on both sides (docs/decisions/0005-packages-of-the-contract.md). */
const PURE_PACKAGES = ['zod', 'any-ascii']

const complaint = (source: Source, node: Node | number, text: string): string =>
  `${source.path}:${typeof node === 'number' ? node : source.lineOf(node)} ${text}`

/** The module of a file under server/ or web/, including 'platform' and 'ui'; undefined for top-level files. */
const moduleOf = (path: string): string | undefined => /^(?:server|web)\/([^/]+)\//.exec(path)?.[1]
const isInModule = ({ path }: Source): boolean =>
  path.startsWith('server/') && MODULES.includes(moduleOf(path) ?? '')

type Role = 'store' | 'service' | 'caller' | 'routes' | 'jobs' | 'outside' | 'pure'

/** A server file's role follows from its name. A file that calls a store is part of the service. */
function roleOf({ path, imports }: Source): Role {
  const [, , ...rest] = path.split('/')
  const name = rest.at(-1)!
  if (/(^|-)store\.ts$/.test(name)) return 'store'
  // Cookies exist only in HTTP; open.ts registers its module’s routes.
  if (/(^|-)(cookie|routes)\.ts$|^open\.ts$/.test(name)) return 'routes'
  if (/(^|-)jobs\.ts$/.test(name)) return 'jobs'
  if (rest.length > 1 || name === 'port.ts') return 'outside'
  if (
    /(^|-)service\.ts$/.test(name)
    || imports.some(({ from, typeOnly }) => !typeOnly && /[/-]store\.ts$/.test(from))
  )
    return 'service'
  if (imports.some(({ from, typeOnly }) => !typeOnly && /[/-]service\.ts$/.test(from)))
    return 'caller'
  return 'pure'
}

const SQL_TEXT =
  /^\s*(select\b[\s\S]*\bfrom|insert\s+into|update\s+\w+\s+set|delete\s+from|with\s+\w+\s+as)\b/i
const isSqlText = (node: Node): boolean =>
  (node.type === 'TaggedTemplateExpression' && (node.tag as Node).name === 'sql')
  || (node.type === 'Literal' && typeof node.value === 'string' && SQL_TEXT.test(node.value))
  || (node.type === 'TemplateElement' && SQL_TEXT.test(String((node.value as { raw: string }).raw)))
const BUILDERS = new Set(['insertInto', 'updateTable', 'deleteFrom', 'selectFrom', 'mergeInto'])
const isBuilder = (node: Node): boolean => BUILDERS.has(calledName(node).split('.').at(-1) ?? '')

test('imports use ./ inside a folder and # across folders, and point only to modules on the left', () => {
  const complaints = productionSources.flatMap(source =>
    source.imports.flatMap(({ from, typeOnly }) => {
      const say = (text: string): string => `${source.path} imports '${from}': ${text}`
      if (from.includes('../'))
        return [say(`write '#${source.path.split('/')[0]}/…' instead of going up`)]
      if (/^[.#]/.test(from) && !/\.(ts|tsx|css|json|svg)$/.test(from))
        return [say('write the file name with its ending')]
      const side = source.path.split('/')[0]!
      const target = /^#(contract|server|web|tests)\//.exec(from)?.[1]
      if (target === 'tests' && side !== 'scripts')
        return [say('production code must not import tests')]
      if (
        side === 'contract'
        && !(from.startsWith('./') || from.startsWith('#contract/') || PURE_PACKAGES.includes(from))
      ) {
        return [
          say(
            `contract/ may import only ${PURE_PACKAGES.join(', ')}; code that needs more belongs in server/ or web/`,
          ),
        ]
      }
      if (side === 'web' && target === 'server')
        return [say('pages call the server through the endpoints of contract/')]
      if (side === 'server' && target === 'web') return [say('the server must not import pages')]
      if (
        isInModule(source)
        && roleOf(source) !== 'routes'
        && /(^|\/)routes\.ts$/.test(from)
        && !typeOnly
      ) {
        return [say('only app.ts imports routes.ts: move shared code to service.ts or rules.ts')]
      }
      const here = MODULES.indexOf(moduleOf(source.path) ?? '')
      const there = moduleOf(from.replace('#', ''))
      if (
        side === 'server'
        && source.path.startsWith('server/platform/')
        && MODULES.includes(there ?? '')
      ) {
        return [say('platform must not import modules: let the module pass in what platform needs')]
      }
      if (side === 'server' && here >= 0 && MODULES.indexOf(there ?? '') > here && !typeOnly) {
        return [
          say(
            `${there} is to the right of ${MODULES[here]}: let ${there} make the call, or pass in a function`,
          ),
        ]
      }
      return []
    }),
  )
  expect(complaints).toEqual([])
})

test('pure files use no clock, disk, network, SQL or HTTP', () => {
  const IMPURE =
    /^(node:(fs|net|http|https|child_process|timers|dns|tls|worker_threads)(\/|$)|pg$|kysely$|fastify|socket\.io)/
  const CALLS = new Set([
    'fetch',
    'setTimeout',
    'setInterval',
    'Date.now',
    'performance.now',
    'new Date',
    'Math.random',
  ])
  const complaints = productionSources
    .filter(
      source =>
        (isInModule(source) && roleOf(source) === 'pure') || source.path.startsWith('contract/'),
    )
    .flatMap(source => [
      ...source.imports
        .filter(({ from, typeOnly }) => !typeOnly && IMPURE.test(from))
        .map(
          ({ from }) =>
            `${source.path} imports '${from}': a pure file works on plain values: move this to service.ts or an adapter folder`,
        ),
      ...source.nodes
        .filter(node => CALLS.has(calledName(node)))
        .map(node => complaint(source, node, `calls ${calledName(node)}(): pass the value in`)),
      ...source.nodes
        .filter(node => isInModule(source) && (isSqlText(node) || isBuilder(node)))
        .map(node => complaint(source, node, 'contains SQL: move it to store.ts')),
    ])
  expect(complaints).toEqual([])
})

test('SQL is only in stores, HTTP only in routes', () => {
  const complaints = productionSources.filter(isInModule).flatMap(source => {
    const role = roleOf(source)
    const sql = ['service', 'caller', 'routes', 'jobs'].includes(role)
      ? source.nodes
          .filter(node => isSqlText(node) || isBuilder(node))
          .map(node => complaint(source, node, `contains SQL in ${role}: move it to store.ts`))
      : []
    const http = ['service', 'store', 'pure'].includes(role)
      ? source.imports
          .filter(({ from }) => from.startsWith('fastify'))
          .map(
            ({ from }) =>
              `${source.path} imports '${from}': HTTP belongs in routes.ts: throw a Refusal instead`,
          )
      : []
    return [...sql, ...http]
  })
  expect(complaints).toEqual([])
})

test('a module writes only its own tables, and every table has a module', () => {
  const WRITE = /\b(?:insert\s+into|update|delete\s+from)\s+"?([a-z_]+)"?\b(?!\s*\()/gi
  const owner = new Map(
    Object.entries(TABLES).flatMap(([module, tables]) =>
      tables.map(table => [table, module] as const),
    ),
  )
  const complaints = productionSources
    .filter(({ path }) => path.startsWith('server/'))
    .flatMap(source => {
      const module = moduleOf(source.path) ?? 'platform'
      const built = source.nodes
        .filter(node => isBuilder(node) && !calledName(node).endsWith('selectFrom'))
        .map(
          node =>
            [node, String((node.arguments as Node[])[0]?.value ?? '').split(/\s/)[0]!] as const,
        )
      const written = source.nodes
        .filter(node => node.type === 'TemplateElement')
        .flatMap(node =>
          Array.from(
            String((node.value as { raw: string }).raw).matchAll(WRITE),
            match => [node, match[1]!] as const,
          ),
        )
      return [...built, ...written]
        .filter(([, table]) => owner.has(table) && owner.get(table) !== module)
        .filter(([, table]) => !OTHER_WRITERS[table]?.includes(module))
        .map(([node, table]) =>
          complaint(
            source,
            node,
            `writes ${table}, which belongs to ${owner.get(table)}: call a function of that module's service`,
          ),
        )
    })
  const made = projectFiles('server/migrations/*.sql').flatMap(path =>
    Array.from(
      readProjectFile(path).matchAll(/^create table (?:if not exists )?([a-z_]+)/gim),
      match => ({
        path,
        table: match[1]!,
      }),
    ),
  )
  const homeless = made
    .filter(({ table }) => !owner.has(table))
    .map(
      ({ path, table }) =>
        `${path} creates ${table}: add it to TABLES in tests/tidy.test.ts under the module that writes it`,
    )
  // migrate.ts makes these two itself.
  const known = new Set([...made.map(({ table }) => table), 'schema_migration', 'repeatable_sql'])
  const gone = [...owner.keys()]
    .filter(table => !known.has(table))
    .map(table => `TABLES names ${table}, which no migration creates: remove it`)
  expect([...complaints, ...homeless, ...gone]).toEqual([])
})

/** The modules of the pages, left to right. A page imports only from its own module and from those on the left. */
const WEB_MODULES = [
  'ui',
  'client',
  'charts',
  'shell',
  'support',
  'ledger',
  'carriers',
  'catalogue',
  'accounts',
  'referrals',
  'addresses',
  'skus',
  'orders',
  'batches',
  'payments',
  'dashboard',
  'admin',
  'landing',
  'docs',
]

test('pages import only from modules on the left', () => {
  const complaints = productionSources
    .filter(({ path }) => path.startsWith('web/'))
    .flatMap(({ path, imports }) => {
      const here = moduleOf(path)
      if (here === undefined) return []
      if (!WEB_MODULES.includes(here))
        return [`${path} is in a new module: add ${here} to WEB_MODULES in tests/tidy.test.ts`]
      return imports.flatMap(({ from }) => {
        if (!from.startsWith('#web/')) return []
        const there = moduleOf(from.slice(1))
        if (there === undefined)
          return [
            `${path} imports '${from}': only web/routes.tsx and web/main.tsx import top-level files`,
          ]
        return WEB_MODULES.indexOf(there) > WEB_MODULES.indexOf(here)
          ? [
              `${path} imports '${from}': ${there} is to the right of ${here}; pass the part in from the right`,
            ]
          : []
      })
    })
  expect(complaints).toEqual([])
})

test('a test that needs page state has modules of its own', () => {
  const complaints = projectFiles('web/**/*.test.{ts,tsx}')
    .filter(path => !PAGE_STATE_TESTS.some(pattern => matchesGlob(path, pattern)))
    .filter(path => NEEDS_PAGE_STATE.test(readProjectFile(path)))
    .map(
      path => `${path} may leave state to other tests: add it to tests/support/page-state-tests.ts`,
    )
  expect(complaints).toEqual([])
})

/** Every module records its audit entries in its own transactions, so this one store is open to all. */
const SHARED_STORE = '#server/accounts/audit-store.ts'

test('a store is private to its module', () => {
  const complaints = productionSources
    .filter(({ path }) => path.startsWith('server/') || path.startsWith('scripts/'))
    .flatMap(({ path, imports }) =>
      imports
        .filter(({ from }) => /[/-]store\.ts$/.test(from) && from !== SHARED_STORE)
        .map(({ from }) => from.replace(/^\.\//, `#${path.replace(/[^/]+$/, '')}`))
        .filter(from => {
          const owner = moduleOf(from.slice(1))
          return MODULES.includes(owner ?? '') && owner !== moduleOf(path)
        })
        .map(
          from =>
            `${path} imports '${from}': use what that module's service.ts, rules.ts or port.ts offers`,
        ),
    )
  expect(complaints).toEqual([])
})

test('files have at most 400 lines, server functions at most 70', () => {
  const FUNCTIONS = new Set([
    'FunctionDeclaration',
    'FunctionExpression',
    'ArrowFunctionExpression',
  ])
  const GENERATED = 'server/schema/schema.sql'
  const long = projectFiles('{contract,server,web,tests,scripts}/**/*.{ts,tsx,mjs,css,sql}')
    .filter(path => path !== GENERATED)
    .map(path => ({ path, count: readProjectFile(path).trimEnd().split('\n').length }))
    .filter(({ count }) => count > 400)
    .map(
      ({ path, count }) =>
        `${path} has ${count} lines: move its second subject to a file of its own`,
    )
  const deep = productionSources
    .filter(({ path }) => path.startsWith('server/'))
    .flatMap(source =>
      source.nodes
        .filter(node => FUNCTIONS.has(node.type))
        .flatMap(node => {
          const count = source.lineOf({ ...node, start: node.end - 1 }) - source.lineOf(node) + 1
          return count > 70
            ? [complaint(source, node, `a function of ${count} lines: extract named parts`)]
            : []
        }),
    )
  expect([...long, ...deep]).toEqual([])
})

test('the lock file has no download address and has an entry for every package of every platform', () => {
  type Entry = { resolved?: string; optionalDependencies?: Record<string, string> }
  const { packages } = JSON.parse(readProjectFile('package-lock.json')) as {
    packages: Record<string, Entry>
  }
  const isThere = (from: string, name: string): boolean => {
    for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('node_modules/') - 1))) {
      if (packages[`${at ? `${at}/` : ''}node_modules/${name}`]) return true
      if (!at) return false
    }
  }
  const complaints = Object.entries(packages).flatMap(
    ([path, { resolved, optionalDependencies = {} }]) => [
      ...(resolved?.startsWith('http')
        ? [
            `${path} has a download address: lock again with omit-lockfile-registry-resolved, as in .npmrc`,
          ]
        : []),
      ...Object.keys(optionalDependencies)
        .filter(name => !isThere(path, name))
        .map(
          name =>
            `${path || 'package.json'} needs ${name}, which has no entry, so npm ci fails: `
            + 'pin the newest version with a package for every platform',
        ),
    ],
  )
  expect(complaints).toEqual([])
})

// The laws of CONTRIBUTING.md that a program can see. Each complaint is a line `file:line what, and what to do instead`.
import { expect, test } from 'vitest'
import { projectFiles, readProjectFile, readSources } from '#tests/support/source.ts'
import type { Node, Source } from '#tests/support/source.ts'

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
  'voids',
  'purchasing',
  'downloads',
  'payments',
  'admin',
]

/** Which room writes which table. A new table is entered here. */
const TABLES: Record<string, string[]> = {
  platform: ['app_setting', 'throttle', 'schema_migration'],
  ledger: ['account', 'balance', 'transfer', 'transfer_rule'],
  accounts: ['app_user', 'login_session', 'password_reset', 'audit_entry'],
  carriers: [
    'raw_service',
    'carrier_call',
    'carrier_note',
    'carrier_budget',
    'sandbox_purchase',
    'sandbox_call_count',
  ],
  catalogue: ['default_service', 'user_service', 'price_version'],
  addresses: ['saved_address'],
  skus: ['sku'],
  labels: ['label_file', 'carrier_label_file'],
  orders: ['shipment_order', 'order_request', 'user_order_count', 'order_list_entry'],
  tracking: ['parcel_tracking'],
  purchasing: ['bought_before_restore'],
  batches: ['batch'],
  payments: ['invoice', 'webhook_inbox', 'sandbox_invoice', 'sandbox_payment'],
  admin: ['ledger_sum'],
}

/** What contract/ may use: pure text work that is the same on both sides (docs/decisions/0005-packages-of-the-contract.md). */
const PURE_PACKAGES = ['zod', 'papaparse', 'any-ascii']

const complaint = (source: Source, node: Node | number, text: string): string =>
  `${source.path}:${typeof node === 'number' ? node : source.lineOf(node)} ${text}`

/** The room of a file below server/ or web/, also 'platform', 'ui' …; undefined for files on top. */
const moduleOf = (path: string): string | undefined => /^(?:server|web)\/([^/]+)\//.exec(path)?.[1]
const isInModule = ({ path }: Source): boolean =>
  path.startsWith('server/') && MODULES.includes(moduleOf(path) ?? '')

type Role = 'store' | 'service' | 'routes' | 'jobs' | 'outside' | 'pure'

/** The role of a file in a server room follows from its name; a file that calls a store is a part of the service. */
function roleOf({ path, imports }: Source): Role {
  const [, , ...rest] = path.split('/')
  const name = rest.at(-1)!
  if (/(^|-)store\.ts$/.test(name)) return 'store'
  if (/^cookie\.ts$|(^|-)routes\.ts$/.test(name)) return 'routes' // a cookie exists on the wire only
  if (/(^|-)jobs\.ts$/.test(name)) return 'jobs'
  if (rest.length > 1 || name === 'port.ts') return 'outside'
  if (
    /(^|-)service\.ts$/.test(name)
    || imports.some(({ from, typeOnly }) => !typeOnly && from.endsWith('store.ts'))
  )
    return 'service'
  return 'pure'
}

/** 'Date.now' of a call `Date.now()`, 'fetch' of `fetch()`, 'new Date' of `new Date()` without arguments; else ''. */
function calledName(node: Node): string {
  const callee = node.callee as Node | undefined
  if (node.type === 'NewExpression' && callee?.name === 'Date')
    return (node.arguments as Node[]).length === 0 ? 'new Date' : ''
  if (node.type !== 'CallExpression' || !callee) return ''
  if (callee.type === 'Identifier') return String(callee.name)
  if (callee.type !== 'MemberExpression') return ''
  return `${String((callee.object as Node).name ?? '')}.${String((callee.property as Node).name ?? '')}`
}

const SQL_TEXT =
  /^\s*(select\b[\s\S]*\bfrom|insert\s+into|update\s+\w+\s+set|delete\s+from|with\s+\w+\s+as)\b/i
const isSqlText = (node: Node): boolean =>
  (node.type === 'TaggedTemplateExpression' && (node.tag as Node).name === 'sql')
  || (node.type === 'Literal' && typeof node.value === 'string' && SQL_TEXT.test(node.value))
  || (node.type === 'TemplateElement' && SQL_TEXT.test(String((node.value as { raw: string }).raw)))
const BUILDERS = new Set(['insertInto', 'updateTable', 'deleteFrom', 'selectFrom', 'mergeInto'])
const isBuilder = (node: Node): boolean => BUILDERS.has(calledName(node).split('.').at(-1) ?? '')

test('imports stay at home with ./, cross a border with #, and go from right to left', () => {
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
        return [say('the product does not know its tests')]
      if (
        side === 'contract'
        && !(from.startsWith('./') || from.startsWith('#contract/') || PURE_PACKAGES.includes(from))
      ) {
        return [
          say(
            `contract/ knows ${PURE_PACKAGES.join(', ')} only; what needs more belongs to server/ or web/`,
          ),
        ]
      }
      if (side === 'web' && target === 'server')
        return [say('the pages speak with the server in the words of contract/')]
      if (side === 'server' && target === 'web') return [say('the server does not know the pages')]
      if (
        isInModule(source)
        && roleOf(source) !== 'routes'
        && /(^|\/)routes\.ts$/.test(from)
        && !typeOnly
      ) {
        return [say('routes.ts is the outermost skin: move what is shared inward')]
      }
      const here = MODULES.indexOf(moduleOf(source.path) ?? '')
      const there = moduleOf(from.replace('#', ''))
      if (
        side === 'server'
        && source.path.startsWith('server/platform/')
        && MODULES.includes(there ?? '')
      ) {
        return [say('platform knows no room; let the room hand in what platform needs')]
      }
      if (side === 'server' && here >= 0 && MODULES.indexOf(there ?? '') > here && !typeOnly) {
        return [
          say(
            `${there} stands to the right of ${MODULES[here]}; let ${there} call, or pass in a function`,
          ),
        ]
      }
      return []
    }),
  )
  expect(complaints).toEqual([])
})

test('pure files know no clock, disk, network, SQL or HTTP', () => {
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
            `${source.path} imports '${from}': a pure file decides with plain values; move this to service.ts or an adapter's folder`,
        ),
      ...source.nodes
        .filter(node => CALLS.has(calledName(node)))
        .map(node => complaint(source, node, `calls ${calledName(node)}(): pass the value in`)),
      ...source.nodes
        .filter(node => isInModule(source) && (isSqlText(node) || isBuilder(node)))
        .map(node => complaint(source, node, 'has SQL: move it to store.ts')),
    ])
  expect(complaints).toEqual([])
})

test('SQL stands in stores, words of HTTP in routes', () => {
  const complaints = productionSources.filter(isInModule).flatMap(source => {
    const role = roleOf(source)
    const sql = ['service', 'routes', 'jobs'].includes(role)
      ? source.nodes
          .filter(node => isSqlText(node) || isBuilder(node))
          .map(node => complaint(source, node, `has SQL in ${role}: move it to store.ts`))
      : []
    const http = ['service', 'store', 'pure'].includes(role)
      ? source.imports
          .filter(({ from }) => from.startsWith('fastify'))
          .map(
            ({ from }) =>
              `${source.path} imports '${from}': words of HTTP stay in routes.ts; throw a Refusal instead`,
          )
      : []
    return [...sql, ...http]
  })
  expect(complaints).toEqual([])
})

test('a room writes its own tables only, and every table has a room', () => {
  const WRITE = /\b(?:insert\s+into|update|delete\s+from)\s+"?([a-z_]+)"?\b(?!\s*\()/gi
  const owner = new Map(
    Object.entries(TABLES).flatMap(([room, tables]) => tables.map(table => [table, room] as const)),
  )
  const complaints = productionSources
    .filter(({ path }) => path.startsWith('server/'))
    .flatMap(source => {
      const room = moduleOf(source.path) ?? 'platform'
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
        .filter(([, table]) => owner.has(table) && owner.get(table) !== room)
        .map(([node, table]) =>
          complaint(
            source,
            node,
            `writes ${table}, which belongs to ${owner.get(table)}: call a function of that room's store`,
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
        `${path} makes ${table}: enter it in TABLES of tests/tidy.test.ts under the room that writes it`,
    )
  const known = new Set([...made.map(({ table }) => table), 'schema_migration'])
  const gone = [...owner.keys()]
    .filter(table => !known.has(table))
    .map(table => `TABLES names ${table}, which no migration makes: take it out`)
  expect([...complaints, ...homeless, ...gone]).toEqual([])
})

test('files have at most 400 lines, functions of the server 70', () => {
  const FUNCTIONS = new Set([
    'FunctionDeclaration',
    'FunctionExpression',
    'ArrowFunctionExpression',
  ])
  const long = projectFiles('{contract,server,web,tests,scripts}/**/*.{ts,tsx,mjs,css,sql}')
    .map(path => ({ path, count: readProjectFile(path).trimEnd().split('\n').length }))
    .filter(({ count }) => count > 400)
    .map(
      ({ path, count }) =>
        `${path} has ${count} lines: find the second subject in it and give that a file`,
    )
  const deep = productionSources
    .filter(({ path }) => path.startsWith('server/'))
    .flatMap(source =>
      source.nodes
        .filter(node => FUNCTIONS.has(node.type))
        .flatMap(node => {
          const count = source.lineOf({ ...node, start: node.end - 1 }) - source.lineOf(node) + 1
          return count > 70
            ? [complaint(source, node, `a function of ${count} lines: give its parts names`)]
            : []
        }),
    )
  expect([...long, ...deep]).toEqual([])
})

test('a line has at most 140 characters', () => {
  const complaints = projectFiles(
    '{contract,server,web,tests,scripts}/**/*.{ts,tsx,mjs,css}',
  ).flatMap(path =>
    readProjectFile(path)
      .split('\n')
      .flatMap((line, index) =>
        line.length > 140
          ? [`${path}:${index + 1} has ${line.length} characters: break it where a thought ends`]
          : [],
      ),
  )
  expect(complaints).toEqual([])
})

test('nothing is left for later, and no test is switched off or runs alone', () => {
  // Put together, so that this line does not complain about itself.
  const LATER = new RegExp(
    `\\b(${['FIX' + 'ME', 'TO' + 'DO', 'X' + 'XX', 'HA' + 'CK'].join('|')})\\b`,
  )
  const complaints = sources.flatMap(source => [
    ...source.lines.flatMap((line, index) =>
      LATER.test(line)
        ? [complaint(source, index + 1, 'leaves something for later: do it, or take the note out')]
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

test('one way to write: named exports, no barrels, no enum, types imported as types', () => {
  const complaints = sources
    .filter(({ path }) => !/(\.config|support\/cluster|journeys\/house)\.ts$/.test(path))
    .flatMap(source =>
      source.nodes.flatMap(node => {
        if (node.type === 'ExportDefaultDeclaration')
          return [complaint(source, node, 'exports a default: give it a name')]
        if (node.type === 'ExportAllDeclaration')
          return [complaint(source, node, 'passes on another file: import from there directly')]
        if (node.type === 'TSEnumDeclaration')
          return [complaint(source, node, 'is an enum: use a union of texts')]
        if (node.type === 'TSParameterProperty')
          return [complaint(source, node, 'is a parameter property: write the field out')]
        return []
      }),
    )
  expect(complaints).toEqual([])
})

test('colours stand in web/ui/tokens.css alone', () => {
  const COLOUR =
    /#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})\b|\b(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch)\(\s*[\d.]/i
  const complaints = projectFiles('web/**/*.{css,ts,tsx}')
    .filter(path => path !== 'web/ui/tokens.css' && !path.includes('.test.'))
    .flatMap(path =>
      readProjectFile(path)
        .split('\n')
        .flatMap((line, index) => {
          const code = line.replace(/#(web|contract)\//g, '').replace(/href="#[^"]*"/g, '')
          return COLOUR.test(code)
            ? [`${path}:${index + 1} names a colour: make it a token in web/ui/tokens.css`]
            : []
        }),
    )
  expect(complaints).toEqual([])
})

test('web/ui has no word of our trade', () => {
  const TRADE =
    /\b(batch|postage|carrier|courier|shipment|parcel|tracking|wallet|deposit)(es|s)?\b/i
  const complaints = projectFiles('web/ui/**/*.{ts,tsx,css}').flatMap(path =>
    readProjectFile(path)
      .split('\n')
      .flatMap((line, index) =>
        TRADE.test(line)
          ? [
              `${path}:${index + 1} says '${TRADE.exec(line)![0]}': the kit knows no trade; pass the text in`,
            ]
          : [],
      ),
  )
  expect(complaints).toEqual([])
})

test('the lock file names no download address, and has an entry for every package of every platform', () => {
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
            `${path} has a download address: lock again with omit-lockfile-registry-resolved, as .npmrc says`,
          ]
        : []),
      ...Object.keys(optionalDependencies)
        .filter(name => !isThere(path, name))
        .map(
          name =>
            `${path || 'package.json'} wants ${name}, which has no entry, so npm ci fails: pin the newest version whose whole family exists`,
        ),
    ],
  )
  expect(complaints).toEqual([])
})

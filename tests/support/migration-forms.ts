/**
 * What a migration may contain that is applied while two versions of the program work (CONTRIBUTING.md, Database). The checks
 * read the text, so they know the forms that this project writes and not every form of SQL.
 */
import { concurrentIndex } from '#server/platform/database/apply-migration.ts'
import { statedOldestProgram } from '#server/platform/database/program-version.ts'

/** Tables with a row or more for each order: reading or writing all of one takes minutes in a large installation. */
const LARGE_TABLES = [
  'audit_entry',
  'bought_before_restore',
  'carrier_call',
  'label_file',
  'order_item',
  'order_list_entry',
  'order_request',
  'outbox',
  'parcel_event',
  'parcel_tracking',
  'receiver_mail',
  'shipment_order',
  'transfer',
  'webhook_delivery',
  'webhook_try',
]

type Migration = { number: number; name: string; sql: string }
/** `made`: tables that the file makes, and triggers. */
type Rule = { finds: (statement: string, made: Set<string>) => unknown; remedy: string }

const tableOf = (pattern: RegExp, statement: string): string | undefined =>
  pattern.exec(statement)?.[1]
const alteredTable = (statement: string) =>
  tableOf(/^alter table (?:if exists )?(?:only )?(\w+)/, statement)
const isExisting = (table: string | undefined, made: Set<string>): boolean =>
  table !== undefined && !made.has(table)
/** Another table or trigger of the same name takes its place in the same file. */
const isExchanged = (pattern: RegExp, statement: string, made: Set<string>): boolean =>
  made.has(tableOf(pattern, statement) ?? '')
const actions = (statement: string): string[] =>
  statement
    .replace(/^alter table (?:if exists )?(?:only )?\w+ /, '')
    .split(/, (?=(?:add|drop|alter|validate|rename) )/)

/** Forms that stop orders, whichever versions are running. */
const STOPPING: Rule[] = [
  {
    finds: (s, made) =>
      /^create (?:unique )?index (?!concurrently)/.test(s)
      && isExisting(tableOf(/ on (?:only )?(\w+)/, s), made),
    remedy:
      'an index on a table that exists is built with CREATE INDEX CONCURRENTLY, in a file of its own',
  },
  {
    finds: (s, made) =>
      isExisting(alteredTable(s), made)
      && actions(s).some(
        a => /^add (?:constraint \w+ )?(?:check|foreign key)/.test(a) && !a.endsWith('not valid'),
      ),
    remedy:
      'a check or foreign key on a table that exists is added NOT VALID, and validated in the next file',
  },
  {
    finds: (s, made) =>
      isExisting(alteredTable(s), made)
      && actions(s).some(a => /^add (?:constraint \w+ )?(?:unique|primary key) ?\(/.test(a)),
    remedy:
      'a key of a table that exists is an index of a file before, added with UNIQUE or PRIMARY KEY USING INDEX',
  },
  {
    finds: (s, made) =>
      isExisting(alteredTable(s), made)
      && actions(s).some(a =>
        /^add (?:column )?(?!constraint)\w+ .*(?: references | check ?\()/.test(a),
      ),
    remedy: 'a new column has its check or foreign key in a constraint of its own, NOT VALID',
  },
  {
    finds: (s, made) =>
      isExisting(alteredTable(s), made)
      && actions(s).some(
        a =>
          /^add (?:column )?\w+ /.test(a)
          && (/ generated | (?:big|small)?serial\b/.test(a)
            || / default [^,]*\b(?:random|clock_timestamp|gen_random_uuid|uuidv7|nextval)\b/.test(
              a,
            )),
      ),
    remedy:
      'a new column with a value of its own for each row writes the whole table: add it empty, and fill it in a job',
  },
  {
    finds: (s, made) =>
      isExisting(alteredTable(s), made)
      && / type /.test(s)
      && /alter (?:column )?\w+ (?:set data )?type /.test(s),
    remedy:
      'a column keeps its type: add another column, write both, and drop the old one two versions later',
  },
  {
    finds: (s, made) =>
      /^(?:update|delete|insert|with)\b/.test(s)
      && LARGE_TABLES.some(
        table => !made.has(table) && new RegExp(`\\b(?:update|from|join) ${table}\\b`).test(s),
      ),
    remedy: 'rows of a large table are read and written by a job, some at a time',
  },
  {
    finds: (s, made) =>
      isExisting(alteredTable(s), made) && / references (?:public\.)?shipment_order\b/.test(s),
    remedy:
      'a foreign key finds no label in the archive: a new table may have one, which is replaced, an old one has require_orders',
  },
  {
    finds: s => /^(?:lock|truncate|cluster|vacuum|reindex)\b/.test(s),
    remedy: 'LOCK, TRUNCATE, CLUSTER, VACUUM and REINDEX stop orders',
  },
]

/** Forms with which a program of the version before fails; a migration with `-- Oldest program:` may have them. */
const REMOVING: Rule[] = [
  {
    finds: (s, made) =>
      (/^drop (?:table|view|function|trigger|sequence|type|index)\b/.test(s)
        && !isExchanged(/^drop trigger (?:if exists )?(\w+)/, s, made))
      || (isExisting(alteredTable(s), made)
        && actions(s).some(a => /^drop (?!constraint|not null|default)/.test(a))),
    remedy: 'what is dropped is used by no program since an earlier version',
  },
  {
    finds: (s, made) =>
      /^alter (?!index)\w+ .*\brename\b/.test(s)
      && !isExchanged(/^alter table (\w+) rename to/, s, made),
    remedy: 'a new name is a new column or table, and the old one is dropped two versions later',
  },
  {
    finds: (s, made) =>
      isExisting(alteredTable(s), made)
      && actions(s).some(
        a =>
          /^alter (?:column )?\w+ (?:set not null|drop default)/.test(a)
          || (/^add (?!constraint)/.test(a) && / not null\b/.test(a) && !/ default /.test(a)),
      ),
    remedy:
      'programs of the version before insert rows without the new column: give it a default, or leave it null',
  },
  {
    finds: (s, made) =>
      s.startsWith('create unique index') && isExisting(tableOf(/ on (?:only )?(\w+)/, s), made),
    remedy: 'programs of the version before may write rows that a new unique key refuses',
  },
]

/** What is wrong with a migration, each line with its remedy; empty when it may be applied beside running programs. */
export function findMigrationFaults({ number, name, sql }: Migration): string[] {
  const statements = statementsOf(sql)
  const made = new Set(
    [...sql.matchAll(/\bcreate (?:table (?:if not exists )?|trigger )(\w+)/gi)].map(([, name]) =>
      name!.toLowerCase(),
    ),
  )
  const oldest = statedOldestProgram(sql)
  const found = [...STOPPING, ...(oldest === null ? REMOVING : [])].flatMap(({ finds, remedy }) =>
    statements.filter(s => finds(s, made)).map(s => `${name}: ${remedy} (${s.slice(0, 80)})`),
  )
  if (oldest !== null && oldest >= number)
    found.push(
      `${name}: "-- Oldest program:" names a version before this migration, so that two versions can work at once`,
    )
  if (concurrentIndex(sql) !== null && statements.length > 1)
    found.push(
      `${name}: CREATE INDEX CONCURRENTLY is alone in its file, as it cannot run in a transaction`,
    )
  if (concurrentIndex(sql) === null && /\bconcurrently\b/.test(statements.join(' ')))
    found.push(
      `${name}: CONCURRENTLY cannot run in a transaction; only an index that is built can have it`,
    )
  const altered = new Set(
    statements.flatMap(s => alteredTable(s) ?? []).filter(table => !made.has(table)),
  )
  if (altered.size > 1)
    found.push(
      `${name}: changes ${[...altered].join(', ')}; a file changes one table, so that it waits for one lock only`,
    )
  const isValidatedHere =
    statements.some(s => / validate constraint /.test(s)) && statements.length > 1
  if (isValidatedHere)
    found.push(`${name}: VALIDATE CONSTRAINT is alone in its file, as it reads the whole table`)
  return found
}

/** In lower case with single spaces, without comments; the text of functions is left out. */
const statementsOf = (sql: string): string[] =>
  sql
    .replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''")
    .replace(/--.*$/gm, '')
    .split(';')
    .map(s => s.replace(/\s+/g, ' ').trim().toLowerCase())
    .filter(Boolean)

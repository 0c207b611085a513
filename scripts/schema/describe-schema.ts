import type pg from 'pg'

/** The snapshot, relative to the project. `npm run schema` writes it. */
export const SCHEMA_FILE = 'server/schema/schema.sql'

const HEADING = `-- The whole database at a glance, written by \`npm run schema\`. Do not edit: a test compares it with a migrated database.
-- The reasons are in server/migrations, the bodies of functions in the other folders of server/schema.`

type Table = { table: string; options: string[] | null; partitions: string | null }
type TablePart = { table: string; definition: string }

/**
 * Describes a migrated database as SQL: every table with its columns, constraints, indexes and triggers, then sequences and
 * functions. The order is fixed, so that equal databases give equal text.
 */
export async function describeSchema(pool: pg.Pool): Promise<string> {
  const rowsOf = async <Row extends pg.QueryResultRow>(query: string): Promise<Row[]> =>
    (await pool.query<Row>(query)).rows
  const tables = await rowsOf<Table>(TABLES_QUERY)
  const columns = await rowsOf<TablePart>(COLUMNS_QUERY)
  const constraints = await rowsOf<TablePart>(CONSTRAINTS_QUERY)
  const indexes = await rowsOf<TablePart>(INDEXES_QUERY)
  const triggers = await rowsOf<TablePart>(TRIGGERS_QUERY)
  const others = await rowsOf<{ definition: string }>(
    `${SEQUENCES_QUERY} union all ${FUNCTIONS_QUERY}`,
  )

  const tableTexts = tables.map(({ table, options, partitions }) => {
    const partsOf = (parts: TablePart[]): string[] =>
      parts.filter(part => part.table === table).map(({ definition }) => shortSql(definition))
    const body = [...partsOf(columns), ...partsOf(constraints)].map(line => `  ${line}`)
    const settings =
      (options ? ` with (${options.join(', ')})` : '')
      + (partitions === null ? '' : ` partition by ${shortSql(partitions)}`)
    const after = [...partsOf(indexes), ...partsOf(triggers)].map(line => `${line};\n`)
    return `create table ${table} (\n${body.join(',\n')}\n)${settings};\n${after.join('')}`
  })
  const otherTexts = others.map(({ definition }) => `${shortSql(definition)};\n`).join('')
  return [`${HEADING}\n`, ...tableTexts, otherTexts].join('\n')
}

/** PostgreSQL's own wording in the spelling of our files: lowercase keywords, short types, no casts of literals. */
const shortSql = (text: string): string =>
  text
    .replace(/'[^']*'|\b[A-Z]+\b/g, part => (part.startsWith("'") ? part : part.toLowerCase()))
    .replaceAll('public.', '')
    .replaceAll(' on only ', ' on ')
    .replaceAll('timestamp with time zone', 'timestamptz')
    .replaceAll(/\binteger\b/g, 'int')
    .replaceAll('double precision', 'float8')
    .replaceAll(/'::(text|jsonb|interval)\b/g, "'")
    .replaceAll(/ = any \(array\[([^\]]*)\]\)/g, ' in ($1)')
    .replaceAll(/ <> all \(array\[([^\]]*)\]\)/g, ' not in ($1)')
    .replaceAll(' using btree', '')
    .replace(/^(constraint \w+ check )\((\(.*\))\)$/, '$1$2')

const OURS = `c.relnamespace = 'public'::regnamespace`
/** Partitions come with time: server/schema/functions/evidence_months.sql. */
const IS_TABLE = `c.relkind in ('r', 'p') and not c.relispartition`

const TABLES_QUERY = `
  select relname as "table", reloptions as options, pg_get_partkeydef(oid) as partitions from pg_class c
    where ${OURS} and ${IS_TABLE} order by relname collate "C"`

const COLUMNS_QUERY = `
  select c.relname as "table", a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
      || case when a.attnotnull then ' not null' else '' end
      || case when a.attidentity = 'a' then ' generated always as identity' else '' end
      || case when a.attgenerated = 's' then ' generated always as (' || pg_get_expr(d.adbin, d.adrelid) || ') stored'
           when d.adbin is not null then ' default ' || pg_get_expr(d.adbin, d.adrelid) else '' end as definition
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where ${OURS} and ${IS_TABLE} order by c.relname collate "C", a.attnum`

// 'n' is not null, which PostgreSQL 18 lists too; it is written at its column.
const CONSTRAINTS_QUERY = `
  select c.relname as "table", 'constraint ' || k.conname || ' ' || pg_get_constraintdef(k.oid) as definition
    from pg_constraint k join pg_class c on c.oid = k.conrelid
    where ${OURS} and k.contype <> 'n'
    order by c.relname collate "C", strpos('pufcx', k.contype::text), k.conname collate "C"`

/** Without the indexes of constraints. */
const INDEXES_QUERY = `
  select c.relname as "table", pg_get_indexdef(i.indexrelid) as definition
    from pg_index i join pg_class c on c.oid = i.indrelid join pg_class x on x.oid = i.indexrelid
    where ${OURS} and not exists (
      select 1 from pg_constraint k where k.conindid = i.indexrelid and k.conrelid = c.oid)
    order by c.relname collate "C", x.relname collate "C"`

const TRIGGERS_QUERY = `
  select c.relname as "table", pg_get_triggerdef(t.oid) as definition
    from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where ${OURS} and not t.tgisinternal order by c.relname collate "C", t.tgname collate "C"`

/** Without the sequences of identity columns. */
const SEQUENCES_QUERY = `
  (select 'create sequence ' || relname as definition from pg_class c
    where ${OURS} and relkind = 'S'
      and not exists (select 1 from pg_depend d where d.objid = c.oid and d.deptype = 'i')
    order by relname collate "C")`

const FUNCTIONS_QUERY = `
  (select 'create function ' || p.proname || '(' || pg_get_function_arguments(p.oid) || ') returns ' || pg_get_function_result(p.oid)
      || ' language ' || l.lanname
      || case p.provolatile when 's' then ' stable' when 'i' then ' immutable' else '' end
      || case when p.prosecdef then ' security definer' else '' end
      || coalesce(' set ' || array_to_string(p.proconfig, ', '), '') as definition
    from pg_proc p join pg_language l on l.oid = p.prolang
    where p.pronamespace = 'public'::regnamespace order by p.proname collate "C")`

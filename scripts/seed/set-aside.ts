/** Constraints and indexes of large tables, which are built faster after the rows than beside them. */
import type pg from 'pg'

/** How what was dropped is made again, in this order: every key has its index before a key refers to it. */
type Definition = { drop: string; make: string }

/**
 * Drops the foreign keys from and to these tables, their keys and their indexes. Returns the statements
 * that make them again, which also check that the rows satisfy them. An index takes a third of the
 * time, and a foreign key is checked by one join instead of once a row.
 */
export async function setAside(client: pg.Client, tables: readonly string[]): Promise<string[]> {
  const foreignKeys = await selectConstraints(
    client,
    `contype = 'f' and (conrelid = any($1::regclass[]) or confrelid = any($1::regclass[]))`,
    tables,
  )
  const keys = await selectConstraints(
    client,
    `contype in ('p', 'u') and conrelid = any($1::regclass[])`,
    tables,
  )
  for (const { drop } of [...foreignKeys, ...keys]) await client.query(drop)
  const indexes = await selectIndexes(client, tables)
  for (const { drop } of indexes) await client.query(drop)
  return [...keys, ...indexes, ...foreignKeys].map(({ make }) => make)
}

/** Those of the table itself: a partition's are dropped and made with it. */
async function selectConstraints(
  client: pg.Client,
  condition: string,
  tables: readonly string[],
): Promise<Definition[]> {
  const { rows } = await client.query<Definition>(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
        format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as make
      from pg_constraint where conparentid = 0 and ${condition} order by conrelid::regclass::text, conname`,
    [tables],
  )
  return rows
}

async function selectIndexes(client: pg.Client, tables: readonly string[]): Promise<Definition[]> {
  const { rows } = await client.query<Definition>(
    // The definition of a partitioned table's index leaves its partitions out.
    `select format('drop index %s', indexrelid::regclass) as drop,
        replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ') as make
      from pg_index where indrelid = any($1::regclass[]) order by indexrelid::regclass::text`,
    [tables],
  )
  return rows
}

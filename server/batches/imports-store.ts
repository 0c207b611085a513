import { sql } from 'kysely'
import type { ColumnMapping, RowGrouping } from '#contract/imports.ts'
import type { SourceId } from '#contract/sources.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'

export type MappingHead = { fingerprint: string; name: string; usedAt: Date }
export type MappingRecord = MappingHead & { mapping: ColumnMapping }

const HEAD = ['fingerprint', 'name', 'used_at as usedAt'] as const

/** Last used first. */
export function selectMappings(db: Db, userId: number): Promise<MappingHead[]> {
  return db
    .selectFrom('import_mapping')
    .select(HEAD)
    .where('user_id', '=', userId)
    .orderBy('used_at', 'desc')
    .orderBy('fingerprint')
    .execute()
}

export function selectMapping(
  db: Db,
  userId: number,
  fingerprint: string,
): Promise<MappingRecord | undefined> {
  return db
    .selectFrom('import_mapping')
    .select([...HEAD, 'mapping'])
    .where('user_id', '=', userId)
    .where('fingerprint', '=', fingerprint)
    .executeTakeFirst()
}

export function upsertMapping(
  tx: Tx,
  userId: number,
  { fingerprint, name, mapping }: Omit<MappingRecord, 'usedAt'>,
): Promise<MappingHead> {
  return tx
    .insertInto('import_mapping')
    .values({ user_id: userId, fingerprint, name, mapping: JSON.stringify(mapping) })
    .onConflict(existing =>
      existing.columns(['user_id', 'fingerprint']).doUpdateSet(eb => ({
        name: eb.ref('excluded.name'),
        mapping: eb.ref('excluded.mapping'),
        used_at: sql`clock_timestamp()`,
      })),
    )
    .returning(HEAD)
    .executeTakeFirstOrThrow()
}

/** False if the user has no such mapping. */
export async function deleteMapping(tx: Tx, userId: number, fingerprint: string): Promise<boolean> {
  const deleted = await tx
    .deleteFrom('import_mapping')
    .where('user_id', '=', userId)
    .where('fingerprint', '=', fingerprint)
    .executeTakeFirst()
  return deleted.numDeletedRows > 0n
}

export async function selectGroupings(
  db: Db,
  userId: number,
): Promise<Partial<Record<SourceId, RowGrouping>>> {
  const rows = await db
    .selectFrom('import_grouping')
    .select(['source', 'grouped_by'])
    .where('user_id', '=', userId)
    .execute()
  return Object.fromEntries(rows.map(row => [row.source, row.grouped_by]))
}

export async function upsertGrouping(
  tx: Tx,
  userId: number,
  source: SourceId,
  by: RowGrouping,
): Promise<void> {
  await tx
    .insertInto('import_grouping')
    .values({ user_id: userId, source, grouped_by: by })
    .onConflict(existing => existing.columns(['user_id', 'source']).doUpdateSet({ grouped_by: by }))
    .execute()
}

export async function deleteImportsOf(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('import_mapping').where('user_id', '=', userId).execute()
  await tx.deleteFrom('import_grouping').where('user_id', '=', userId).execute()
}

/** The zone matrix: kept in the database, and in memory by its hash. */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { ZoneLookup } from '#contract/pricing.ts'
import { zoneLookup } from '#contract/zone-matrix.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'

export type ZoneMatrixRecord = {
  id: number
  pairs: number
  reason: string
  setBy: { id: number; name: string }
  createdAt: Date
}

/** The newest matrix, without its zones. */
export async function selectZoneMatrix(db: Db): Promise<ZoneMatrixRecord | null> {
  const { rows } = await sql<ZoneMatrixRecord>`
    select m.id, m.pairs, m.reason, m.created_at as "createdAt", jsonb_build_object('id', u.id, 'name', u.name) as "setBy"
      from zone_matrix m join app_user u on u.id = m.set_by order by m.id desc limit 1`.execute(db)
  return rows[0] ?? null
}

/** Null if it is the newest one already. */
export async function insertZoneMatrix(
  tx: Tx,
  zones: Uint8Array,
  { pairs, reason, setBy }: { pairs: number; reason: string; setBy: number },
): Promise<number | null> {
  const hash = createHash('sha256').update(zones).digest('base64url')
  const { rows } = await sql<{ id: number }>`
    insert into zone_matrix (zones, pairs, content_hash, reason, set_by)
      select ${Buffer.from(zones)}, ${pairs}::int, ${hash}, ${reason}, ${setBy}::bigint
        where ${hash} is distinct from (select content_hash from zone_matrix order by id desc limit 1)
      returning id`.execute(tx)
  return rows[0]?.id ?? null
}

/** How many pairs have a zone in the newest matrix and none in `zones`. */
export async function countDroppedPairs(db: Db, zones: Uint8Array): Promise<number> {
  const newest = await db
    .selectFrom('zone_matrix')
    .select('zones')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return newest?.zones.reduce((many, zone, at) => many + (zone > 0 && !zones[at] ? 1 : 0), 0) ?? 0
}

/** By their hash, so that processes with several databases never mix them. 1 MB each. */
const KEPT_MATRICES = 2
const kept = new Map<string, ZoneLookup>()

/** By the newest matrix; null without one. One short query while the matrix is in memory. */
export async function readZones(db: Db): Promise<ZoneLookup | null> {
  const newest = await db
    .selectFrom('zone_matrix')
    .select(['id', 'content_hash', 'pairs'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!newest || newest.pairs === 0) return null
  const known = kept.get(newest.content_hash)
  if (known) return known
  const { zones } = await db
    .selectFrom('zone_matrix')
    .select('zones')
    .where('id', '=', newest.id)
    .executeTakeFirstOrThrow()
  const lookup = zoneLookup(zones)
  if (kept.size >= KEPT_MATRICES) kept.delete(kept.keys().next().value!)
  kept.set(newest.content_hash, lookup)
  return lookup
}

/** How a user's files are read: columns by header row, and what one label is made for by source. */
import { MAX_MAPPING_TEXT, MAX_MAPPINGS } from '#contract/imports.ts'
import type { ColumnMapping, RowGrouping } from '#contract/imports.ts'
import type { SourceId } from '#contract/sources.ts'
import { isFarTooLong, shortenText, tidyWithin, tooLong } from '#contract/text.ts'
import { lockExistingUser, requireUser } from '#server/accounts/service.ts'
import type { Context } from '#server/platform/context.ts'
import type { Db } from '#server/platform/database/database.ts'
import { Refusal, refuseField, refuseFields } from '#server/platform/http/refusal.ts'
import {
  deleteMapping,
  selectGroupings,
  selectMapping,
  selectMappings,
  upsertGrouping,
  upsertMapping,
} from './imports-store.ts'
import type { MappingHead, MappingRecord } from './imports-store.ts'

export { deleteImportsOf } from './imports-store.ts'

/** Mappings are in the order of their use, the last one first. */
export async function listImportMemory(
  db: Db,
  userId: number,
): Promise<{ mappings: MappingHead[]; grouping: Partial<Record<SourceId, RowGrouping>> }> {
  const [mappings, grouping] = await Promise.all([
    selectMappings(db, userId),
    selectGroupings(db, userId),
  ])
  return { mappings, grouping }
}

/** Throws Refusal 404. */
export async function getColumnMapping(
  db: Db,
  userId: number,
  fingerprint: string,
): Promise<MappingRecord> {
  const found = await selectMapping(db, userId, fingerprint)
  if (!found) throw mappingNotFound()
  return found
}

/**
 * Saves a mapping, or replaces the one of this header row, as used now. Throws Refusal:
 * 422 for the name, 409 for one mapping too many.
 */
export async function saveColumnMapping(
  ctx: Context,
  userId: number,
  given: { fingerprint: string; name: string; mapping: ColumnMapping },
): Promise<MappingHead> {
  const name = checkedName(given.name)
  return ctx.database.tx(async tx => {
    // Two requests at once must not both save the last mapping.
    await lockExistingUser(tx, userId)
    const saved = await upsertMapping(tx, userId, { ...given, name })
    const mappings = await selectMappings(tx, userId)
    if (mappings.length > MAX_MAPPINGS) {
      const { name: oldest } = mappings.at(-1)!
      throw new Refusal(
        'limit_reached',
        `You can save the columns of at most ${MAX_MAPPINGS} files. Delete some first; “${shortenText(oldest)}” was used least recently.`,
      )
    }
    return saved
  })
}

function checkedName(given: string): string {
  const name = tidyWithin(given, MAX_MAPPING_TEXT)
  if (name === '') throw refuseField('name', 'required', 'Name is required')
  if (isFarTooLong(name, MAX_MAPPING_TEXT) || name.length > MAX_MAPPING_TEXT)
    throw refuseFields({ name: tooLong('Name', MAX_MAPPING_TEXT, name.length) })
  return name
}

/** Throws Refusal 404. */
export async function deleteColumnMapping(
  ctx: Context,
  userId: number,
  fingerprint: string,
): Promise<void> {
  const isDeleted = await ctx.database.tx(tx => deleteMapping(tx, userId, fingerprint))
  if (!isDeleted) throw mappingNotFound()
}

export async function saveRowGrouping(
  ctx: Context,
  userId: number,
  source: SourceId,
  by: RowGrouping,
): Promise<void> {
  await ctx.database.tx(async tx => {
    await requireUser(tx, userId)
    await upsertGrouping(tx, userId, source, by)
  })
}

const mappingNotFound = () =>
  new Refusal('mapping_unknown', 'The columns of this header row are not saved')

/** Columns that a user has matched before, by the header row of their files. */
import {
  deleteMapping,
  getMapping,
  listImports,
  MAX_MAPPINGS,
  saveMapping,
} from '#contract/imports.ts'
import type { ColumnMapping } from '#contract/imports.ts'
import { queryClient } from '#web/client/query-client.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { send } from '#web/client/send.ts'

export const importsQuery = (userId: string) => ({
  queryKey: queryKeys.imports(userId),
  queryFn: () => send(listImports, { params: { userId } }),
})

/** `usedAt`: when a file was last read by these columns. */
export type SavedColumns = { fingerprint: string; mapping: ColumnMapping; usedAt: string }

/**
 * The user's columns for the first of these header rows that has any, which counts as a use of them;
 * null if none has or the server cannot be asked: a file is read all the same.
 */
export async function savedColumns(
  userId: string,
  fingerprints: readonly string[],
): Promise<SavedColumns | null> {
  try {
    const { mappings } = await queryClient.fetchQuery(importsQuery(userId))
    const fingerprint = fingerprints.find(one => mappings.some(saved => saved.fingerprint === one))
    if (fingerprint === undefined) return null
    const { name, mapping, usedAt } = await send(getMapping, { params: { userId, fingerprint } })
    void saveColumns(userId, fingerprint, name, mapping).catch(() => undefined)
    return { fingerprint, mapping, usedAt }
  } catch {
    return null
  }
}

/**
 * Saves columns for the next file with this header row. Of `MAX_MAPPINGS`, those that were used
 * longest ago make room. Throws ApiError.
 */
export async function saveColumns(
  userId: string,
  fingerprint: string,
  fileName: string,
  mapping: ColumnMapping,
): Promise<void> {
  const { mappings } = await queryClient.fetchQuery({ ...importsQuery(userId), staleTime: 0 })
  const others = mappings.filter(saved => saved.fingerprint !== fingerprint)
  for (const { fingerprint: oldest } of others.slice(MAX_MAPPINGS - 1))
    await send(deleteMapping, { params: { userId, fingerprint: oldest } })
  await send(saveMapping, { params: { userId, fingerprint }, body: { name: fileName, mapping } })
  await queryClient.invalidateQueries({ queryKey: queryKeys.imports(userId) })
}

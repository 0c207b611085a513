/** Columns that a user has matched before, by the header row of their files. */
import { getMapping, listImports, saveMapping } from '#contract/imports.ts'
import type { ColumnMapping } from '#contract/imports.ts'
import { readFile } from '#web/batches/import/read-file.ts'
import type { FileAnswer, ReadContext, ReadProgress } from '#web/batches/import/read-file.ts'
import { queryClient } from '#web/client/query-client.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { send } from '#web/client/send.ts'

const importsQuery = (userId: string) => ({
  queryKey: queryKeys.imports(userId),
  queryFn: () => send(listImports, { params: { userId } }),
})

/** Columns that the file was read by: the user's own, and when they were used before. */
export type UsedColumns = { mapping: ColumnMapping; usedAt: string }
export type RememberedAnswer = FileAnswer & { usedColumns?: UsedColumns }

/**
 * Reads a file as `readFile` does, by the columns that the user matched for its header row before,
 * if there are any. Files are read without them where the server cannot be asked.
 */
export async function readRemembered(
  userId: string,
  file: File,
  context: ReadContext,
  onProgress?: (progress: ReadProgress) => void,
  signal?: AbortSignal,
): Promise<RememberedAnswer> {
  const saved = queryClient.fetchQuery(importsQuery(userId)).catch(() => null)
  const answer = await readFile(file, context, onProgress, signal)
  const fingerprint = fingerprintIn(answer)
  const isSaved = (await saved)?.mappings.some(mapping => mapping.fingerprint === fingerprint)
  if (fingerprint === null || !isSaved || context.askColumns) return answer
  const params = { userId, fingerprint }
  const used = await send(getMapping, { params }, { signal }).catch(() => null)
  signal?.throwIfAborted()
  if (!used) return answer
  const { name, mapping, usedAt } = used
  const mappings = { [fingerprint]: mapping }
  const again = await readFile(file, { ...context, mappings }, onProgress, signal)
  // Used now: the mapping that was used longest ago is the first to go.
  void saveColumns(userId, fingerprint, name, mapping).catch(() => undefined)
  return { ...again, usedColumns: { mapping, usedAt } }
}

const fingerprintIn = (answer: FileAnswer): string | null => {
  if ('unknownColumns' in answer) return answer.unknownColumns.fingerprint
  return 'source' in answer ? answer.headerFingerprint : null
}

/** Saves columns for the next file with this header row. Throws ApiError. */
export async function saveColumns(
  userId: string,
  fingerprint: string,
  fileName: string,
  mapping: ColumnMapping,
): Promise<void> {
  await send(saveMapping, { params: { userId, fingerprint }, body: { name: fileName, mapping } })
  await queryClient.invalidateQueries({ queryKey: queryKeys.imports(userId) })
}

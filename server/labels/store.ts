import type { BatchFileKind } from '#contract/downloads.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'

export type FileRecord = {
  name: string
  userId: number
  batchId: number | null
  kind: BatchFileKind
  bytes: number
  sha256: string
}

/** An existing name means that the file was rebuilt. */
export async function upsertFile(tx: Tx, file: FileRecord): Promise<void> {
  const { name, bytes, sha256 } = file
  await tx
    .insertInto('label_file')
    .values({ name, user_id: file.userId, batch_id: file.batchId, kind: file.kind, bytes, sha256 })
    .onConflict(conflict =>
      conflict.column('name').doUpdateSet({ bytes, sha256, created_at: new Date() }),
    )
    .execute()
}

export async function findFile(db: Db, name: string): Promise<FileRecord | undefined> {
  const row = await db
    .selectFrom('label_file')
    .selectAll()
    .where('name', '=', name)
    .executeTakeFirst()
  return (
    row && {
      name: row.name,
      userId: row.user_id,
      batchId: row.batch_id,
      kind: row.kind,
      bytes: row.bytes,
      sha256: row.sha256,
    }
  )
}

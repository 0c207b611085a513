import { open } from 'node:fs/promises'

/**
 * Makes renames and new entries in a folder durable. Skipped where a folder cannot be synced
 * (Windows).
 */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => null)
  await handle?.sync().catch(() => {})
  await handle?.close()
}

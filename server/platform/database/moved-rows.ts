/**
 * Reads and locks a row, once more if it is not found. A label that moves to the archive while a statement waits for its lock is in
 * neither table for that statement; the next one finds it (server/schema/functions/label_archive.sql).
 */
export const findMovedRow = async <Row>(
  read: () => Promise<Row | undefined>,
): Promise<Row | undefined> => (await read()) ?? read()

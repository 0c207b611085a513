/** A process that does nothing but write one file of 30 MB into the bucket of its environment, to be killed at any moment. */

import { readConfig } from '#server/config.ts'
import { STORED_FILE_NAMES } from '#server/labels/file-names.ts'
import { openFileStore } from '#server/platform/storage/open.ts'

const MB = 2 ** 20
await openFileStore(readConfig(process.env), STORED_FILE_NAMES).write(
  process.argv[2]!,
  async sink => {
    for (let n = 0; n < 30; n++) await sink.write(Buffer.alloc(MB, n))
  },
)

/** The order in which test files start. */
import { createHash } from 'node:crypto'
import { relative } from 'node:path'
import { BaseSequencer } from 'vitest/node'
import type { TestSpecification } from 'vitest/node'

/** Each runs for a long time and mostly waits: if it started last, the other workers would be idle. */
const LONG_WAITS = [
  'server/platform/backup/backup.test.ts',
  'server/voids/batch-voids.test.ts',
  'tests/payments/webhooks.test.ts',
  'server/tracking/parcel-pages.test.ts',
  'tests/crash/killed-with-two-carriers.test.ts',
  'tests/crash/database-machine-lost.test.ts',
  'tests/crash/killed-in-voids.test.ts',
  'tests/crash/restore.test.ts',
]

/**
 * Files that wait long come first. Both groups are in an order that follows from the seed, which is
 * printed: `--sequence.seed` repeats it, also in another folder.
 */
export class FileOrder extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root, sequence } = this.ctx.config
    this.ctx.logger.log(`Order of the files: --sequence.seed=${sequence.seed}\n`)
    const hashes = new Map(
      files.map(file => {
        const name = `${sequence.seed} ${file.project.name} ${relative(root, file.moduleId)}`
        return [file, createHash('sha256').update(name).digest('hex')]
      }),
    )
    const shuffled = files.toSorted((one, other) =>
      hashes.get(one)! < hashes.get(other)! ? -1 : 1,
    )
    const waitsLong = ({ moduleId }: TestSpecification): boolean =>
      LONG_WAITS.some(path => moduleId.endsWith(path))
    return Promise.resolve([
      ...shuffled.filter(waitsLong),
      ...shuffled.filter(file => !waitsLong(file)),
    ])
  }
}

/** The order in which test files start. */
import { createHash } from 'node:crypto'
import { relative } from 'node:path'
import { BaseSequencer } from 'vitest/node'
import type { TestSpecification } from 'vitest/node'

/**
 * Each runs for a long time and mostly waits: if it started last, the other workers would be idle. The files of `storage` write
 * megabytes that are not in the heap, for which V8 collects it again and again: it is still small then.
 */
const FIRST = [
  'server/platform/backup/backup.test.ts',
  'server/voids/batch-voids.test.ts',
  'tests/payments/webhooks.test.ts',
  'server/tracking/parcel-pages.test.ts',
  'server/platform/storage/s3.test.ts',
  'server/platform/storage/storage.test.ts',
  'tests/crash/killed-with-two-carriers.test.ts',
  'tests/crash/database-machine-lost.test.ts',
  'tests/crash/killed-in-voids.test.ts',
  'tests/crash/restore.test.ts',
]

/**
 * One project after another, since a worker keeps its modules only for the next file of the same project. In each, the files named
 * above come first; the order of the others follows from the seed, which is printed: `--sequence.seed` repeats it, also in another
 * folder.
 */
export class FileOrder extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root, sequence } = this.ctx.config
    this.ctx.logger.log(`Order of the files: --sequence.seed=${sequence.seed}\n`)
    const rankOf = ({ project, moduleId }: TestSpecification): string => {
      const isFirst = FIRST.some(path => moduleId.endsWith(path))
      const name = `${sequence.seed} ${project.name} ${relative(root, moduleId)}`
      return `${project.name} ${isFirst ? 0 : 1} ${createHash('sha256').update(name).digest('hex')}`
    }
    const ranks = new Map(files.map(file => [file, rankOf(file)]))
    return Promise.resolve(
      files.toSorted((one, other) => (ranks.get(one)! < ranks.get(other)! ? -1 : 1)),
    )
  }
}

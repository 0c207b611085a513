/** The order in which test files start. */
import { createHash } from 'node:crypto'
import { BaseSequencer } from 'vitest/node'
import type { TestSpecification } from 'vitest/node'

/** Each takes long and mostly waits: started last, it would wait alone. */
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
 * Files that wait long come first, all others in an order of the seed, which is printed:
 * `--sequence.seed` repeats it.
 */
export class FileOrder extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { seed } = this.ctx.config.sequence
    this.ctx.logger.log(`Order of the files: --sequence.seed=${seed}\n`)
    const place = ({ moduleId, project }: TestSpecification): string => {
      const rank = LONG_WAITS.findIndex(file => moduleId.endsWith(file))
      const random = createHash('sha256').update(`${seed} ${project.name} ${moduleId}`)
      return `${String(rank < 0 ? LONG_WAITS.length : rank).padStart(2, '0')} ${random.digest('hex')}`
    }
    const places = new Map(files.map(file => [file, place(file)]))
    const placeOf = (file: TestSpecification): string => places.get(file)!
    return Promise.resolve(files.toSorted((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1)))
  }
}

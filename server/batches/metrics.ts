import type { Db } from '#server/platform/database/database.ts'
import { defineCounter, defineGauge } from '#server/platform/process/meter.ts'
import type { GaugeLevel, Meter, Metric } from '#server/platform/process/meter.ts'
import { countUnfinishedBatches } from './store.ts'

const BATCH_FILES = defineCounter(
  'batch_files_total',
  'Builds of the files of a bulk order, by result',
  ['result'],
)
const OPEN_BATCHES = defineGauge(
  'batches_open',
  'Bulk orders in the database that are in progress, by status',
  ['status'],
)

export const BATCH_METRICS: Metric[] = [BATCH_FILES, OPEN_BATCHES]

/** `result`: 'made' or 'problem'. */
export const countBatchFiles = (meter: Meter | undefined, result: 'made' | 'problem'): void =>
  meter?.count(BATCH_FILES, { result })

export async function readOpenBatchLevels(db: Db): Promise<GaugeLevel[]> {
  const levels = await countUnfinishedBatches(db)
  return levels.map(({ status, count }) => ({
    metric: OPEN_BATCHES,
    labels: { status },
    value: count,
  }))
}

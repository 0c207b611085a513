import type { Db } from '#server/platform/database/database.ts'
import { defineGauge } from '#server/platform/process/meter.ts'
import type { GaugeLevel, Metric } from '#server/platform/process/meter.ts'
import { countOpenLabelsByState } from './open-labels-store.ts'

const OPEN_LABELS = defineGauge(
  'labels_open',
  'Labels in the database that are not settled, by state',
  ['state'],
)
const OLDEST_LABEL_SECONDS = defineGauge(
  'labels_oldest_seconds',
  'Age of the oldest label in that state',
  ['state'],
)

export const ORDER_METRICS: Metric[] = [OPEN_LABELS, OLDEST_LABEL_SECONDS]

export async function readOpenLabelLevels(db: Db): Promise<GaugeLevel[]> {
  const levels = await countOpenLabelsByState(db)
  return levels.flatMap(({ state, count, oldestSeconds }) => [
    { metric: OPEN_LABELS, labels: { state }, value: count },
    { metric: OLDEST_LABEL_SECONDS, labels: { state }, value: oldestSeconds },
  ])
}

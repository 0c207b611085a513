import type { Db } from '#server/platform/database/database.ts'
import { defineGauge } from '#server/platform/process/meter.ts'
import type { GaugeLevel, Metric } from '#server/platform/process/meter.ts'
import { readMailLevels } from './mail-store.ts'

const WAITING = defineGauge('mails_waiting', 'Emails that wait to be sent')
const OLDEST_SECONDS = defineGauge('mails_oldest_seconds', 'Age of the oldest waiting email')
const FAILED = defineGauge('mails_failed', 'Emails that could not be sent in the last three days')

export const MAIL_METRICS: Metric[] = [WAITING, OLDEST_SECONDS, FAILED]

export async function readWaitingMailLevels(db: Db): Promise<GaugeLevel[]> {
  const { waiting, oldestSeconds, failed } = await readMailLevels(db)
  return [
    { metric: WAITING, labels: {}, value: waiting },
    { metric: OLDEST_SECONDS, labels: {}, value: oldestSeconds },
    { metric: FAILED, labels: {}, value: failed },
  ]
}

import type { TryOutcome } from '#contract/webhooks.ts'
import type { Db } from '#server/platform/database/database.ts'
import { defineCounter, defineGauge } from '#server/platform/process/meter.ts'
import type { GaugeLevel, Meter, Metric } from '#server/platform/process/meter.ts'
import { readWebhookLevels } from './delivery-store.ts'

const TRIES = defineCounter('webhook_tries_total', 'Messages sent to webhooks, by outcome', [
  'outcome',
])
const SET_ASIDE = defineCounter(
  'webhook_messages_set_aside_total',
  'Failures to pass a message for webhooks on; it waits, others go on',
)
const WAITING = defineGauge('webhooks_waiting', 'Messages for webhooks that wait')
const UNTRIED_SECONDS = defineGauge(
  'webhooks_untried_seconds',
  'Age of the oldest message for a webhook that was not tried yet',
)
const FAILING = defineGauge('webhooks_failing', 'Webhooks whose last message failed')

export const WEBHOOK_METRICS: Metric[] = [TRIES, SET_ASIDE, WAITING, UNTRIED_SECONDS, FAILING]

export const countTries = (meter: Meter | undefined, outcome: TryOutcome): void =>
  meter?.count(TRIES, { outcome })

export const countSetAside = (meter: Meter | undefined): void => meter?.count(SET_ASIDE, {})

export async function readWaitingWebhookLevels(db: Db): Promise<GaugeLevel[]> {
  const { waiting, untriedSeconds, failing } = await readWebhookLevels(db)
  return [
    { metric: WAITING, labels: {}, value: waiting },
    { metric: UNTRIED_SECONDS, labels: {}, value: untriedSeconds },
    { metric: FAILING, labels: {}, value: failing },
  ]
}

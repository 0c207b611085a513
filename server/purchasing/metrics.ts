import { defineCounter, FAST_BUCKETS, defineHistogram } from '#server/platform/process/meter.ts'
import type { Meter, Metric } from '#server/platform/process/meter.ts'

const LABELS_SETTLED = defineCounter('labels_total', 'Labels settled by this process, by outcome', [
  'outcome',
])
const CLAIM_SECONDS = defineHistogram(
  'claim_seconds',
  'Claiming labels from the queue, begin to commit',
  FAST_BUCKETS,
)
const SETTLE_SECONDS = defineHistogram(
  'settle_seconds',
  'Settling a group of outcomes, begin to commit',
  FAST_BUCKETS,
)

const LOSSES = defineCounter(
  'labels_above_ceiling_total',
  'Labels whose postage is above their price and the limit of loss, refused or bought',
  ['outcome'],
)

export const PURCHASING_METRICS: Metric[] = [LABELS_SETTLED, LOSSES, CLAIM_SECONDS, SETTLE_SECONDS]

/** After the commit. `states`: 'purchased', 'failed', 'unknown', or 'queued' again. */
export const countSettledLabels = (meter: Meter | undefined, states: readonly string[]): void =>
  states.forEach(outcome => meter?.count(LABELS_SETTLED, { outcome }))

export const countLosses = (
  meter: Meter | undefined,
  outcomes: readonly ('refused' | 'bought')[],
): void => outcomes.forEach(outcome => meter?.count(LOSSES, { outcome }))

export const observeClaim = (meter: Meter | undefined, seconds: number): void =>
  meter?.observe(CLAIM_SECONDS, seconds, {})

export const observeSettling = (meter: Meter | undefined, seconds: number): void =>
  meter?.observe(SETTLE_SECONDS, seconds, {})

import { defineCounter } from '#server/platform/process/meter.ts'
import type { Meter, Metric } from '#server/platform/process/meter.ts'

const VOIDED_SCANS = defineCounter(
  'voided_label_scans_total',
  'Voided labels that the carrier scanned within 30 days',
  [],
)

export const TRACKING_METRICS: Metric[] = [VOIDED_SCANS]

/** After the commit. */
export function countVoidedScans(meter: Meter | undefined, labels: number): void {
  for (let n = 0; n < labels; n++) meter?.count(VOIDED_SCANS, {})
}

import type { CarrierMessageResult } from '#server/carriers/port.ts'

/** The members of a JSON object, of its bytes or already parsed; none of anything else. */
export function jsonRecord(value: unknown): Record<string, unknown> {
  if (value instanceof Uint8Array) {
    try {
      return jsonRecord(JSON.parse(Buffer.from(value).toString('utf8')))
    } catch {
      return {}
    }
  }
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

const TRACKING_NUMBER = /^[A-Za-z0-9]{6,40}$/

export const messageTrackingNumber = (value: unknown): CarrierMessageResult =>
  typeof value === 'string' && TRACKING_NUMBER.test(value)
    ? { kind: 'parcel', trackingNumber: value }
    : { kind: 'other' }

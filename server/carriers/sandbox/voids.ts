import { setTimeout as wait } from 'node:timers/promises'
import type { Carrier } from '#server/carriers/port.ts'
import type { Database } from '#server/platform/database/database.ts'
import { waitPastTimeout, BUSY, connectionReset, isBusy, SLOW_MS } from './faults.ts'
import { recordVoid, selectSalesOfAttempt } from './store.ts'

/**
 * Voids follow the command that the label was sold with. A void is stored before the response; a
 * repeated request is confirmed, so a lost response is found by asking again.
 */
export function createSandboxVoid(database: Database): Carrier['void'] {
  return async ({ attempt, trackingNumber }, signal) => {
    const sale = (await selectSalesOfAttempt(database.db, attempt)).find(
      one => one.trackingNumber === trackingNumber,
    )
    if (!sale)
      return {
        kind: 'permanent',
        code: 'LABEL_UNKNOWN',
        message: 'The carrier does not know this label',
      }
    if (sale.voidedAt) return { kind: 'voided' }
    if (sale.command === 'novoid')
      return {
        kind: 'permanent',
        code: 'NOT_VOIDABLE',
        message: 'This label is not eligible for a refund',
        isStillValid: true,
      }
    if (sale.command === 'busy' && (await isBusy(database, `void:${sale.key}`))) return BUSY
    if (sale.command === 'slow') await wait(SLOW_MS)
    const isFirst = await database.tx(tx => recordVoid(tx, sale.key))
    if (isFirst && sale.command === 'lost') throw connectionReset()
    if (isFirst && sale.command === 'late') await waitPastTimeout(signal)
    return { kind: 'voided' }
  }
}

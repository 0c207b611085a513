import { setTimeout as wait } from 'node:timers/promises'
import type { Carrier, VoidAnswer } from '#server/carriers/port.ts'
import type { Database } from '#server/platform/database.ts'
import { answerLate, BUSY, connectionReset, isBusy, SLOW_MS } from './faults.ts'
import { insertVoid, selectSalesOf } from './store.ts'

const refuse = (code: string, message: string): VoidAnswer => ({ kind: 'permanent', code, message })

/**
 * The sandbox's desk for voids. It is told how to behave by the command that its label was sold with. A void stands in the books
 * before it is answered; one that stands there is confirmed at once, so that a lost answer is found by asking again.
 */
export function openVoidDesk(database: Database): Carrier['void'] {
  return async ({ attempt, trackingNumber }, signal) => {
    const sale = (await selectSalesOf(database.db, attempt)).find(
      one => one.trackingNumber === trackingNumber,
    )
    if (!sale) return refuse('LABEL_UNKNOWN', 'The carrier does not know this label')
    if (sale.voidedAt) return { kind: 'voided' }
    if (sale.command === 'novoid')
      return refuse('NOT_VOIDABLE', 'This label is not eligible for a refund')
    if (sale.command === 'busy' && (await isBusy(database, `void:${sale.key}`))) return BUSY
    if (sale.command === 'slow') await wait(SLOW_MS)
    const isFirst = await database.tx(tx => insertVoid(tx, sale.key))
    if (isFirst && sale.command === 'lost') throw connectionReset()
    if (isFirst && sale.command === 'late') await answerLate(signal)
    return { kind: 'voided' }
  }
}

import type { TransferKind } from '#server/ledger/rules.ts'
import type { RequiredTimestamp } from '#server/platform/database/tables.ts'

declare module '#server/platform/database/tables.ts' {
  interface Tables {
    ledger_sum: {
      period_start: RequiredTimestamp
      kind: TransferKind
      transfers: number
      cents: number
      cost_cents: number
      last_transfer_id: number
    }
    ledger_total: { kind: TransferKind; cents: number; last_transfer_id: number }
  }
}

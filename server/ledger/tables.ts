import type { DefaultTimestamp, GeneratedColumn } from '#server/platform/database/tables.ts'
import type { AccountKind, TransferKind } from './rules.ts'

declare module '#server/platform/database/tables.ts' {
  interface Tables {
    account: {
      id: GeneratedColumn<number>
      kind: AccountKind
      owner_id: number | null
      guarded: GeneratedColumn<boolean>
    }
    balance: {
      account_id: number
      debits: GeneratedColumn<number>
      credits: GeneratedColumn<number>
      deposited: GeneratedColumn<number>
      refunded: GeneratedColumn<number>
      captured: GeneratedColumn<number>
    }
    movement_count: {
      owner_id: number
      last_transfer_id: GeneratedColumn<number>
      counts: GeneratedColumn<Partial<Record<TransferKind, number>>>
    }
    owed_charge: {
      id: GeneratedColumn<number>
      owner_id: number
      order_id: number
      subject: string
      reason: string
      cents: number
      collected_cents: GeneratedColumn<number>
      waived_cents: GeneratedColumn<number>
      returned_cents: GeneratedColumn<number>
      collections: GeneratedColumn<number>
      created_at: DefaultTimestamp
    }
    wallet_figure: {
      owner_id: number
      available_cents: GeneratedColumn<number>
      deposited_cents: GeneratedColumn<number>
      spent_cents: GeneratedColumn<number>
    }
    wallet_figure_progress: { only_row: GeneratedColumn<boolean>; last_transfer_id: number }
    transfer: {
      id: GeneratedColumn<number>
      owner_id: number
      kind: TransferKind
      debit_account_id: number
      credit_account_id: number
      cents: number
      key: string
      order_id: number | null
      batch_id: number | null
      round: number | null
      invoice_id: number | null
      actor_id: number | null
      reason: string | null
      created_at: DefaultTimestamp
    }
  }
}

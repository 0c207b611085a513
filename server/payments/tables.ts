import type { InvoiceStatus } from '#contract/payments.ts'
import type {
  DefaultTimestamp,
  GeneratedColumn,
  NullableTimestamp,
  RequiredTimestamp,
} from '#server/platform/database/tables.ts'

declare module '#server/platform/database/tables.ts' {
  interface Tables {
    invoice: {
      id: GeneratedColumn<number>
      user_id: number
      provider: 'sandbox' | 'btcpay'
      reference: GeneratedColumn<string>
      external_id: string | null
      creating_until: NullableTimestamp
      create_attempts: GeneratedColumn<number>
      status: GeneratedColumn<InvoiceStatus>
      additional_status: GeneratedColumn<string>
      paid_cents: GeneratedColumn<number>
      confirmed_cents: GeneratedColumn<number>
      credited_cents: GeneratedColumn<number>
      credit_count: GeneratedColumn<number>
      needs_review: GeneratedColumn<boolean>
      checkout_link: GeneratedColumn<string>
      requested_cents: number | null
      created_at: DefaultTimestamp
      expires_at: RequiredTimestamp
      synced_at: NullableTimestamp
      last_lookup: GeneratedColumn<number>
      next_lookup_at: NullableTimestamp
      reversed_cents: GeneratedColumn<number>
      reversal_count: GeneratedColumn<number>
      reviewed_state: string | null
      settled_at: NullableTimestamp
      lost_at: NullableTimestamp
    }
    webhook_inbox: {
      provider: string
      delivery_id: string
      body: Buffer
      received_at: DefaultTimestamp
      handled_at: NullableTimestamp
      invoice_ref: GeneratedColumn<string>
      reference: string | null
      attempts: GeneratedColumn<number>
      retry_at: DefaultTimestamp
    }
    sandbox_invoice: {
      id: string
      reference: string
      status: GeneratedColumn<InvoiceStatus>
      additional_status: GeneratedColumn<string>
      requested_cents: number | null
      created_at: DefaultTimestamp
      expires_at: RequiredTimestamp
    }
    sandbox_payment: {
      id: GeneratedColumn<number>
      invoice_id: string
      cents: number
      late: boolean
      settled: GeneratedColumn<boolean>
      received_at: DefaultTimestamp
    }
  }
}

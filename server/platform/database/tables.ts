import type { ColumnType, Generated } from 'kysely'
import type { TrackingStatus } from '#contract/tracking.ts'

/** A column the database fills in at insert. */
type GeneratedColumn<T> = Generated<T>
/** timestamptz: read as a Date; left out at an insert it is the database's own clock. */
type DefaultTimestamp = ColumnType<Date, Date | string | undefined, Date | string>
type RequiredTimestamp = ColumnType<Date, Date | string, Date | string>
type NullableTimestamp = ColumnType<
  Date | null,
  Date | string | null | undefined,
  Date | string | null
>
/** jsonb: read as a value, written as JSON text. */
type JsonColumn<T> = ColumnType<T, string, string>

export type AccountKind = 'available' | 'held' | 'cash' | 'revenue' | 'refunds' | 'adjustments'
export type TransferKind =
  | 'deposit'
  | 'hold'
  | 'release'
  | 'capture'
  | 'refund'
  | 'adjust_up'
  | 'adjust_down'
  | 'reversal'
export type OrderState =
  | 'queued'
  | 'purchasing'
  | 'unknown'
  | 'purchased'
  | 'failed'
  | 'voiding'
  | 'voided'

/** An address as it is stored with an order and given to the carrier. */
export type StoredAddress = {
  name: string
  company: string
  phone: string
  street1: string
  street2: string
  city: string
  state: string
  zip: string
  country: string
}

/** Inches, pounds; quantity and references are only printed. */
export type StoredPackage = {
  length: number
  width: number
  height: number
  weight: number
  description: string
  quantity: string
  sku: string
}

/** Price range in whole pounds, both ends inside. */
export type StoredPriceRange = { from: number; to: number; cents: number }

/** The tables of the database as Kysely sees them. The migrations say what each column means. */
export type Tables = {
  app_setting: { key: string; value: string; created_at: DefaultTimestamp }
  throttle: { key: string; hits: number; resets_at: RequiredTimestamp }

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

  app_user: {
    id: GeneratedColumn<number>
    name: string
    email: string
    email_key: string
    password_hash: string
    role: GeneratedColumn<'user' | 'friend' | 'admin'>
    activation: GeneratedColumn<'allow' | 'block'>
    referral_code: string
    referred_by: number | null
    avatar: string | null
    created_at: DefaultTimestamp
    deleted_at: NullableTimestamp
  }
  login_session: {
    id: GeneratedColumn<number>
    user_id: number
    token_hash: Buffer
    download_hash: Buffer
    kind: GeneratedColumn<'normal' | 'impersonation'>
    impersonator_id: number | null
    parent_session_id: number | null
    user_agent: string | null
    created_at: DefaultTimestamp
    last_seen_at: DefaultTimestamp
    expires_at: RequiredTimestamp
  }
  password_reset: {
    token_hash: Buffer
    user_id: number
    created_at: DefaultTimestamp
    expires_at: RequiredTimestamp
    used_at: NullableTimestamp
  }
  audit_entry: {
    id: GeneratedColumn<number>
    created_at: DefaultTimestamp
    actor_id: number | null
    subject_id: number | null
    action: string
    detail: JsonColumn<Record<string, unknown>>
  }

  raw_service: {
    uid: string
    name: string
    category: string
    max_weight: number
    last_offered_at: DefaultTimestamp
  }
  carrier_call: {
    id: GeneratedColumn<number>
    order_id: number
    round: number
    attempt: number
    fence: number
    started_at: DefaultTimestamp
    finished_at: NullableTimestamp
    act: GeneratedColumn<'buy' | 'void'>
    account: string | null
    outcome:
      | 'bought'
      | 'permanent'
      | 'retryable'
      | 'unknown'
      | 'account'
      | 'voided'
      | 'submitted'
      | null
    code: string | null
    message: string | null
  }
  sandbox_purchase: {
    attempt_key: string
    reference: string
    round: number
    tracking_number: string
    service_uid: string
    cost_cents: number
    request_hash: string
    command: string | null
    bought_at: DefaultTimestamp
    voided_at: NullableTimestamp
  }
  sandbox_call_count: { attempt_key: string; refusals: number }

  carrier_note: {
    reference: string
    round: number
    account: GeneratedColumn<string>
    upstream_ref: string
    buy_requested_at: NullableTimestamp
    recorded_at: DefaultTimestamp
  }
  carrier_budget: {
    account: string
    tokens: number
    filled_at: DefaultTimestamp
    paused_until: NullableTimestamp
    pause_reason: string | null
    paused_since: NullableTimestamp
  }

  default_service: {
    id: GeneratedColumn<number>
    uid: string
    name: string
    category: GeneratedColumn<string>
    max_weight: GeneratedColumn<number>
    offered: GeneratedColumn<boolean>
    enabled: GeneratedColumn<boolean>
    position: GeneratedColumn<number>
  }
  user_service: {
    id: GeneratedColumn<number>
    user_id: number
    default_id: number
    name: string
    enabled: boolean
  }
  price_version: {
    id: GeneratedColumn<number>
    default_id: number | null
    user_service_id: number | null
    version: number
    ranges: JsonColumn<StoredPriceRange[]>
    set_by: number | null
    created_at: DefaultTimestamp
  }

  saved_address: {
    id: GeneratedColumn<number>
    user_id: number
    address_id: string
    name: string
    company: string
    phone: string
    street: string
    street2: string
    city: string
    state: string
    zip: string
    country: GeneratedColumn<string>
    created_at: DefaultTimestamp
  }
  /** numeric columns are read as text; the store turns them into numbers. */
  sku: {
    id: GeneratedColumn<number>
    user_id: number
    sku: string
    max_qty: number
    weight_lb: ColumnType<string, number, number>
    length_in: ColumnType<string, number, number>
    width_in: ColumnType<string, number, number>
    height_in: ColumnType<string, number, number>
    description: GeneratedColumn<string>
  }

  batch: {
    id: GeneratedColumn<number>
    user_id: number
    status: BatchStatus | null
    content_hash: string | null
    total_count: GeneratedColumn<number>
    cost_cents: GeneratedColumn<number>
    submission: GeneratedColumn<number>
    processed_count: GeneratedColumn<number>
    failed_count: GeneratedColumn<number>
    file_key: GeneratedColumn<string>
    pdf_name: string | null
    result_name: string | null
    confirm_name: string | null
    files_stale: GeneratedColumn<boolean>
    change_count: GeneratedColumn<number>
    files_problem: string | null
    files_problem_at: NullableTimestamp
    work_lease_until: NullableTimestamp
    only_unknown_since: NullableTimestamp
    retried_at: NullableTimestamp
    created_at: DefaultTimestamp
    accepted_at: NullableTimestamp
    finished_at: NullableTimestamp
    updated_at: DefaultTimestamp
  }
  shipment_order: {
    id: GeneratedColumn<number>
    user_id: number
    batch_id: number | null
    row_no: number | null
    state: GeneratedColumn<OrderState>
    round: GeneratedColumn<number>
    attempt: GeneratedColumn<number>
    fence: GeneratedColumn<number>
    lease_until: NullableTimestamp
    run_after: DefaultTimestamp
    service_uid: string
    service_name: string
    price_cents: number
    sender: JsonColumn<StoredAddress>
    receiver: JsonColumn<StoredAddress>
    package: JsonColumn<StoredPackage>
    manifested: GeneratedColumn<boolean>
    order_ref: string | null
    item_ref: string | null
    pdf_key: GeneratedColumn<string>
    tracking_number: string | null
    cost_cents: number | null
    reason: string | null
    replaced_by: number | null
    queued_at: DefaultTimestamp
    unknown_since: NullableTimestamp
    purchased_at: NullableTimestamp
    carrier_account: string | null
    answer_missing_at: NullableTimestamp
    carrier_refusal: string | null
    void_requested_at: NullableTimestamp
    void_requested_by: number | null
    void_attempt: GeneratedColumn<number>
    void_reason: string | null
    void_submitted_at: NullableTimestamp
    void_is_automatic: GeneratedColumn<boolean>
    voided_at: NullableTimestamp
    created_at: DefaultTimestamp
  }
  user_order_count: { user_id: number; orders: number }
  order_list_entry: {
    user_id: number
    position: number
    order_id: number
    placed_at: RequiredTimestamp
    reference: string | null
    search_words: string
  }
  order_request: {
    user_id: number
    key: string
    body_hash: string
    order_id: number
    created_at: DefaultTimestamp
  }
  label_file: {
    name: string
    user_id: number
    batch_id: number | null
    kind: 'pdf' | 'result-csv' | 'auto-csv'
    bytes: number
    sha256: string
    created_at: DefaultTimestamp
  }

  carrier_label_file: {
    order_id: number
    state: GeneratedColumn<'pending' | 'stored' | 'unavailable'>
    attempt: GeneratedColumn<number>
    run_after: DefaultTimestamp
    problem: string | null
    file_name: string | null
    mime: 'application/pdf' | 'image/png' | null
    bytes: number | null
    sha256: string | null
    stored_at: NullableTimestamp
    created_at: DefaultTimestamp
  }
  parcel_tracking: {
    order_id: number
    user_id: number
    status: GeneratedColumn<TrackingStatus>
    detail: string | null
    event_at: NullableTimestamp
    last_checked_at: NullableTimestamp
    attempt: GeneratedColumn<number>
    next_check_at: NullableTimestamp
    auto_void_at: NullableTimestamp
  }

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

  ledger_sum: {
    period_start: RequiredTimestamp
    kind: TransferKind
    transfers: number
    cents: number
    cost_cents: number
    last_transfer_id: number
  }
}

type InvoiceStatus = 'New' | 'Processing' | 'Settled' | 'Expired' | 'Invalid'
type BatchStatus =
  | 'processing'
  | 'generating_files'
  | 'retrying_failed'
  | 'completed'
  | 'completed_with_errors'
  | 'failed'
  | 'processing_error'
  | 'retry_processing_error'

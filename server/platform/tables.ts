import type { ColumnType, Generated } from 'kysely'
import type { TrackingStatus } from '#contract/tracking.ts'

/** A column the database fills in at insert. */
type Made<T> = Generated<T>
/** timestamptz: read as a Date; left out at an insert it is the database's own clock. */
type Moment = ColumnType<Date, Date | string | undefined, Date | string>
type GivenMoment = ColumnType<Date, Date | string, Date | string>
type MaybeMoment = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
/** jsonb: read as a value, written as JSON text. */
type Json<T> = ColumnType<T, string, string>

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
export type StoredRange = { from: number; to: number; cents: number }

/** The tables of the database as Kysely sees them. The migrations say what each column means. */
export type Tables = {
  house_setting: { key: string; value: string; created_at: Moment }
  throttle: { key: string; hits: number; resets_at: GivenMoment }

  account: { id: Made<number>; kind: AccountKind; owner_id: number | null; guarded: Made<boolean> }
  balance: {
    account_id: number
    debits: Made<number>
    credits: Made<number>
    deposited: Made<number>
    refunded: Made<number>
    captured: Made<number>
  }
  transfer: {
    id: Made<number>
    owner_id: number
    kind: TransferKind
    debit: number
    credit: number
    cents: number
    key: string
    order_id: number | null
    batch_id: number | null
    round: number | null
    invoice_id: number | null
    actor_id: number | null
    reason: string | null
    created_at: Moment
  }

  app_user: {
    id: Made<number>
    name: string
    email: string
    email_key: string
    password_hash: string
    role: Made<'user' | 'friend' | 'admin'>
    activation: Made<'allow' | 'block'>
    referral_code: string
    referred_by: number | null
    avatar: string | null
    created_at: Moment
    deleted_at: MaybeMoment
  }
  login_session: {
    id: Made<number>
    user_id: number
    token_hash: Buffer
    download_hash: Buffer
    kind: Made<'normal' | 'impersonation'>
    actor_id: number | null
    begun_in: number | null
    user_agent: string | null
    created_at: Moment
    last_seen_at: Moment
    expires_at: GivenMoment
  }
  password_reset: {
    token_hash: Buffer
    user_id: number
    created_at: Moment
    expires_at: GivenMoment
    used_at: MaybeMoment
  }
  audit_entry: {
    id: Made<number>
    at: Moment
    actor_id: number | null
    subject_id: number | null
    action: string
    detail: Json<Record<string, unknown>>
  }

  raw_service: { uid: string; name: string; category: string; max_weight: number; seen_at: Moment }
  carrier_call: {
    id: Made<number>
    order_id: number
    round: number
    attempt: number
    fence: number
    started_at: Moment
    finished_at: MaybeMoment
    act: Made<'buy' | 'void'>
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
    bought_at: Moment
    voided_at: MaybeMoment
  }
  sandbox_busy: { attempt_key: string; refusals: number }

  carrier_note: {
    reference: string
    round: number
    account: Made<string>
    upstream_ref: string
    noted_at: Moment
  }
  carrier_budget: {
    account: string
    tokens: number
    filled_at: Moment
    paused_until: MaybeMoment
    pause_reason: string | null
    paused_since: MaybeMoment
  }

  default_service: {
    id: Made<number>
    uid: string
    name: string
    category: Made<string>
    max_weight: Made<number>
    offered: Made<boolean>
    enabled: Made<boolean>
    position: Made<number>
  }
  user_service: {
    id: Made<number>
    user_id: number
    default_id: number
    name: string
    enabled: boolean
  }
  price_version: {
    id: Made<number>
    default_id: number | null
    user_service_id: number | null
    version: number
    ranges: Json<StoredRange[]>
    set_by: number | null
    created_at: Moment
  }

  saved_address: {
    id: Made<number>
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
    country: Made<string>
    created_at: Moment
  }
  /** numeric columns are read as text; the store turns them into numbers. */
  sku: {
    id: Made<number>
    user_id: number
    sku: string
    max_qty: number
    weight_lb: ColumnType<string, number, number>
    length_in: ColumnType<string, number, number>
    width_in: ColumnType<string, number, number>
    height_in: ColumnType<string, number, number>
    description: Made<string>
  }

  batch: {
    id: Made<number>
    user_id: number
    status: BatchStatus | null
    content_hash: string | null
    total_count: Made<number>
    cost_cents: Made<number>
    submission: Made<number>
    processed_count: Made<number>
    failed_count: Made<number>
    file_key: Made<string>
    pdf_name: string | null
    result_name: string | null
    confirm_name: string | null
    files_stale: Made<boolean>
    changes: Made<number>
    files_problem: string | null
    files_problem_at: MaybeMoment
    work_lease_until: MaybeMoment
    waiting_since: MaybeMoment
    retried_at: MaybeMoment
    created_at: Moment
    accepted_at: MaybeMoment
    finished_at: MaybeMoment
    updated_at: Moment
  }
  shipment_order: {
    id: Made<number>
    user_id: number
    batch_id: number | null
    row_no: number | null
    state: Made<OrderState>
    round: Made<number>
    attempt: Made<number>
    fence: Made<number>
    lease_until: MaybeMoment
    run_after: Moment
    service_uid: string
    service_name: string
    price_cents: number
    sender: Json<StoredAddress>
    receiver: Json<StoredAddress>
    package: Json<StoredPackage>
    manifested: Made<boolean>
    order_ref: string | null
    item_ref: string | null
    pdf_key: Made<string>
    tracking_number: string | null
    cost_cents: number | null
    reason: string | null
    replaced_by: number | null
    queued_at: Moment
    unknown_since: MaybeMoment
    purchased_at: MaybeMoment
    carrier_account: string | null
    doubted_at: MaybeMoment
    refusal: string | null
    void_requested_at: MaybeMoment
    void_requested_by: number | null
    void_attempt: Made<number>
    void_reason: string | null
    void_submitted_at: MaybeMoment
    void_is_automatic: Made<boolean>
    voided_at: MaybeMoment
    created_at: Moment
  }
  order_tally: { user_id: number; n: number }
  order_entry: {
    user_id: number
    n: number
    order_id: number
    placed_at: GivenMoment
    reference: string | null
    words: string
  }
  order_request: {
    user_id: number
    key: string
    body_hash: string
    order_id: number
    created_at: Moment
  }
  label_file: {
    name: string
    user_id: number
    batch_id: number | null
    kind: 'pdf' | 'result-csv' | 'auto-csv'
    bytes: number
    sha256: string
    created_at: Moment
  }

  carrier_paper: {
    order_id: number
    state: Made<'wanted' | 'kept' | 'gone'>
    attempt: Made<number>
    run_after: Moment
    problem: string | null
    file_name: string | null
    mime: 'application/pdf' | 'image/png' | null
    bytes: number | null
    sha256: string | null
    kept_at: MaybeMoment
    created_at: Moment
  }
  parcel_tracking: {
    order_id: number
    user_id: number
    status: Made<TrackingStatus>
    detail: string | null
    seen_at: MaybeMoment
    asked_at: MaybeMoment
    attempt: Made<number>
    ask_after: MaybeMoment
    void_by: MaybeMoment
  }

  invoice: {
    id: Made<number>
    user_id: number
    provider: 'sandbox' | 'btcpay'
    reference: Made<string>
    external_id: string | null
    creating_until: MaybeMoment
    create_attempts: Made<number>
    status: Made<InvoiceStatus>
    additional_status: Made<string>
    paid_cents: Made<number>
    confirmed_cents: Made<number>
    credited_cents: Made<number>
    credits: Made<number>
    needs_review: Made<boolean>
    checkout_link: Made<string>
    created_at: Moment
    expires_at: GivenMoment
    synced_at: MaybeMoment
    last_look: Made<number>
    next_look_at: MaybeMoment
    reversed_cents: Made<number>
    reversals: Made<number>
    reviewed_as: string | null
    settled_at: MaybeMoment
    lost_at: MaybeMoment
  }
  webhook_inbox: {
    provider: string
    delivery_id: string
    body: Buffer
    received_at: Moment
    handled_at: MaybeMoment
    invoice_ref: Made<string>
    order_ref: string | null
    tries: Made<number>
    try_at: Moment
  }
  sandbox_invoice: {
    id: string
    order_ref: string
    status: Made<InvoiceStatus>
    additional_status: Made<string>
    created_at: Moment
    expires_at: GivenMoment
  }
  sandbox_payment: {
    id: Made<number>
    invoice_id: string
    cents: number
    late: boolean
    settled: Made<boolean>
    received_at: Moment
  }

  ledger_sum: {
    slot: GivenMoment
    kind: TransferKind
    transfers: number
    cents: number
    cost_cents: number
    last_id: number
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

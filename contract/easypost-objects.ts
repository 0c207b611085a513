/**
 * Objects that /v2 answers, in the shapes that EasyPost publishes (docs.easypost.com). Money is text
 * ('6.50'), weights are ounces, ids have the prefix of their kind. What Evenpost does not know is
 * null.
 */
import * as z from 'zod'
import { Moment } from './endpoint.ts'

const Text = z.string().nullable()
const Never = z.null()

/** `test` in a sandbox database, `production` in a live one. */
export const EasypostMode = z.enum(['test', 'production'])
export type EasypostMode = z.output<typeof EasypostMode>

export const VerificationError = z.object({
  code: z.string(),
  field: z.string(),
  message: z.string(),
  suggestion: Text,
})
export type VerificationError = z.output<typeof VerificationError>

/** Both tell whether ZIP, state and city belong together; streets are not compared. */
export const AddressVerifications = z.object({
  zip4: z.object({
    success: z.boolean(),
    errors: z.array(VerificationError),
    details: Never,
  }),
  delivery: z.object({
    success: z.boolean(),
    errors: z.array(VerificationError),
    details: z.object({ latitude: Never, longitude: Never, time_zone: Never }),
  }),
})
export type AddressVerifications = z.output<typeof AddressVerifications>

export const EasypostAddress = z.object({
  id: z.string(),
  object: z.literal('Address'),
  created_at: Moment,
  updated_at: Moment,
  name: Text,
  company: Text,
  street1: Text,
  street2: Text,
  city: Text,
  state: Text,
  zip: Text,
  country: Text,
  phone: Text,
  email: Text,
  mode: EasypostMode,
  carrier_facility: Never,
  residential: Never,
  federal_tax_id: Never,
  state_tax_id: Never,
  // Empty until a verification is asked for.
  verifications: AddressVerifications.partial(),
})
export type EasypostAddress = z.output<typeof EasypostAddress>

/** Inches, and ounces. */
export const EasypostParcel = z.object({
  id: z.string(),
  object: z.literal('Parcel'),
  created_at: Moment,
  updated_at: Moment,
  length: z.number().nullable(),
  width: z.number().nullable(),
  height: z.number().nullable(),
  predefined_package: Never,
  weight: z.number(),
  mode: EasypostMode,
})

/** `service` as EasyPost names it ('GroundAdvantage'). `delivery_days`: the carrier's latest business day. */
export const EasypostRate = z.object({
  id: z.string(),
  object: z.literal('Rate'),
  created_at: Moment,
  updated_at: Moment,
  mode: EasypostMode,
  service: z.string(),
  carrier: z.string(),
  rate: z.string(),
  currency: z.literal('USD'),
  retail_rate: Never,
  retail_currency: Never,
  list_rate: Never,
  list_currency: Never,
  billing_type: z.literal('evenpost'),
  delivery_days: z.number().nullable(),
  delivery_date: Never,
  delivery_date_guaranteed: z.literal(false),
  est_delivery_days: z.number().nullable(),
  shipment_id: z.string(),
  carrier_account_id: Never,
})
export type EasypostRate = z.output<typeof EasypostRate>

/** Why a service that is for sale has no rate, or why the label was not bought. */
const RateMessage = z.object({
  carrier: z.string(),
  carrier_account_id: Never,
  type: z.enum(['rate_error', 'purchase_error']),
  message: z.string(),
})

export const EasypostPostageLabel = z.object({
  object: z.literal('PostageLabel'),
  id: z.string(),
  created_at: Moment,
  updated_at: Moment,
  date_advance: z.literal(0),
  integrated_form: z.literal('none'),
  label_date: Moment,
  label_resolution: z.literal(203),
  label_size: z.literal('4x6'),
  label_type: z.literal('default'),
  label_file_type: z.enum(['application/pdf', 'image/png', 'application/zpl']),
  label_url: z.string(),
  label_pdf_url: Text,
  label_zpl_url: Text,
  label_epl2_url: Never,
  label_file: Never,
})

const TrackingLocation = z.object({
  object: z.literal('TrackingLocation'),
  city: Never,
  state: Never,
  country: Never,
  zip: Never,
})

/** `tracking_details` has the latest event. */
export const EasypostTracker = z.object({
  id: z.string(),
  object: z.literal('Tracker'),
  mode: EasypostMode,
  tracking_code: z.string(),
  status: z.string(),
  status_detail: z.string(),
  created_at: Moment,
  updated_at: Moment,
  signed_by: Never,
  weight: z.number().nullable(),
  est_delivery_date: Never,
  shipment_id: Text,
  carrier: z.string(),
  tracking_details: z.array(
    z.object({
      object: z.literal('TrackingDetail'),
      message: z.string(),
      description: z.string(),
      status: z.string(),
      status_detail: z.string(),
      datetime: Moment,
      source: z.string(),
      carrier_code: z.string(),
      tracking_location: TrackingLocation,
    }),
  ),
  fees: z.array(z.never()),
  carrier_detail: Never,
  finalized: z.boolean(),
  is_return: z.literal(false),
  public_url: Text,
})
export type EasypostTracker = z.output<typeof EasypostTracker>

/** `form_url` ends after 30 days. */
export const EasypostScanForm = z.object({
  id: z.string(),
  object: z.literal('ScanForm'),
  created_at: Moment,
  updated_at: Moment,
  tracking_codes: z.array(z.string()),
  // Null for labels that were not bought through /v2.
  address: EasypostAddress.nullable(),
  status: z.enum(['creating', 'created', 'failed']),
  message: Text,
  form_url: Text,
  form_file_type: Text,
  batch_id: Text,
  confirmation: Text,
})
export type EasypostScanForm = z.output<typeof EasypostScanForm>

const Fee = z.object({
  object: z.literal('Fee'),
  type: z.literal('PostageFee'),
  amount: z.string(),
  charged: z.boolean(),
  refunded: z.boolean(),
})

export const BATCH_STATUSES = [
  'created',
  'queued_for_purchase',
  'creation_failed',
  'postage_purchased',
  'postage_purchase_failed',
] as const
export type EasypostBatchStatus = (typeof BATCH_STATUSES)[number]
const BatchStatus = z.enum(BATCH_STATUSES)

export const EasypostShipment = z.object({
  created_at: Moment,
  is_return: z.literal(false),
  messages: z.array(RateMessage),
  mode: EasypostMode,
  options: z.record(z.string(), z.unknown()),
  reference: Text,
  // Of the parcel, as of a tracker.
  status: z.string(),
  tracking_code: Text,
  updated_at: Moment,
  batch_id: Text,
  batch_status: BatchStatus.nullable(),
  batch_message: Text,
  customs_info: Never,
  from_address: EasypostAddress,
  insurance: Never,
  order_id: Never,
  parcel: EasypostParcel,
  postage_label: EasypostPostageLabel.nullable(),
  rates: z.array(EasypostRate),
  refund_status: z.enum(['submitted', 'refunded', 'rejected']).nullable(),
  scan_form: Never,
  selected_rate: EasypostRate.nullable(),
  tracker: EasypostTracker.nullable(),
  to_address: EasypostAddress,
  usps_zone: Never,
  return_address: EasypostAddress,
  buyer_address: EasypostAddress,
  forms: z.array(z.never()),
  fees: z.array(Fee),
  id: z.string(),
  object: z.literal('Shipment'),
})
export type EasypostShipment = z.output<typeof EasypostShipment>

export const EasypostRefund = z.object({
  id: z.string(),
  object: z.literal('Refund'),
  created_at: Moment,
  updated_at: Moment,
  tracking_code: z.string(),
  confirmation_number: Never,
  status: z.enum(['submitted', 'refunded', 'rejected']),
  carrier: z.string(),
  shipment_id: Text,
})
export type EasypostRefund = z.output<typeof EasypostRefund>

export const BATCH_STATES = [
  'created',
  'creation_failed',
  'purchasing',
  'purchase_failed',
  'purchased',
  'label_generated',
] as const
export type EasypostBatchState = (typeof BATCH_STATES)[number]

export const EasypostBatch = z.object({
  id: z.string(),
  object: z.literal('Batch'),
  mode: EasypostMode,
  state: z.enum(BATCH_STATES),
  num_shipments: z.number(),
  reference: Text,
  created_at: Moment,
  updated_at: Moment,
  scan_form: EasypostScanForm.nullable(),
  shipments: z.array(
    z.object({
      batch_status: BatchStatus,
      batch_message: Text,
      reference: Text,
      tracking_code: Text,
      id: z.string(),
    }),
  ),
  status: z.object({
    created: z.number(),
    queued_for_purchase: z.number(),
    creation_failed: z.number(),
    postage_purchased: z.number(),
    postage_purchase_failed: z.number(),
  }),
  pickup: Never,
  label_url: Text,
})
export type EasypostBatch = z.output<typeof EasypostBatch>

/** Every refusal under /v2. `errors`: wrong fields, or empty. */
export const EasypostError = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    errors: z.array(
      z.object({
        code: z.string(),
        field: z.string(),
        message: z.string(),
        suggestion: Text,
      }),
    ),
  }),
})
export type EasypostError = z.output<typeof EasypostError>

/** Codes with which calls for keys refuse, beside those of the statuses that most calls share. */
import type { Endpoint } from '#contract/endpoint.ts'
import { FIELD_FAULTS } from '#contract/faults.ts'
import { REFUSALS } from '#contract/refusals.ts'
import type { RefusalCode } from '#contract/refusals.ts'

/** A refused form has the code of its first wrong field. */
const FIELD_CODES = Object.keys(FIELD_FAULTS) as RefusalCode[]
export const isFieldCode = (code: RefusalCode): boolean => code in FIELD_FAULTS

/** By the name of the endpoint: all codes with status 404, 409 and 422. */
export const CALL_CODES: Readonly<Record<string, readonly RefusalCode[]>> = {
  placeOrder: [
    'user_unknown',
    'idempotency_key_reused',
    'label_refused',
    'price_changed',
    ...FIELD_CODES,
  ],
  quotePrice: FIELD_CODES,
  priceOptions: ['user_unknown'],
  priceParcelOptions: ['user_unknown'],
  priceTotals: ['user_unknown', ...FIELD_CODES],
  labelDetails: ['order_unknown'],
  availableServices: ['user_unknown'],
  userServices: ['user_unknown'],
  voidOrder: ['order_unknown', 'label_not_voidable', 'carrier_account_missing', 'void_refused'],
  batchVoidSummary: ['batch_unknown'],
  voidBatch: ['batch_unknown', 'batch_processing'],
  processBatch: [
    'batch_unknown',
    'user_unknown',
    'already_bought',
    'batch_submitted',
    'changed_meanwhile',
    'rows_invalid',
    'no_rows',
    'too_many_rows',
    'price_changed',
  ],
  batchStatus: ['batch_unknown'],
  listFailedRows: ['batch_unknown'],
  retryFailedLabels: [
    'batch_unknown',
    'user_unknown',
    'already_bought',
    'batch_processing',
    'nothing_to_do',
    ...FIELD_CODES,
  ],
  seenRows: ['batch_unknown', ...FIELD_CODES],
  batchFailures: ['batch_unknown'],
  downloadFile: [
    'order_unknown',
    'file_unknown',
    'batch_unknown',
    'file_not_ready',
    'file_gone',
    'label_voided',
    'nothing_to_download',
    'label_voiding',
    'format_not_available',
    'row_list_invalid',
  ],
  downloadLabels: ['order_unknown', 'file_gone', 'labels_not_valid', 'format_not_available'],
  downloadFailedRows: ['batch_unknown', 'nothing_to_download'],
  downloadPackingSlips: ['batch_unknown', 'nothing_to_download'],
  downloadPickList: ['batch_unknown', 'nothing_to_download'],
  downloadSelectedPackingSlips: ['order_unknown', 'nothing_to_download', 'labels_not_valid'],
  downloadSelectedPickList: ['order_unknown', 'nothing_to_download', 'labels_not_valid'],
  createScanForms: [
    'user_unknown',
    'order_unknown',
    'batch_unknown',
    'label_on_scan_form',
    'labels_not_valid',
    'nothing_to_do',
    'scan_form_refused',
    'carrier_account_missing',
    ...FIELD_CODES,
  ],
  downloadScanForm: ['scan_form_unknown', 'file_unknown'],
  saveAddress: ['user_unknown', 'address_id_taken', 'book_full', ...FIELD_CODES],
  updateAddress: ['address_unknown', 'address_id_taken', ...FIELD_CODES],
  deleteAddress: ['address_unknown'],
  setDefaultAddress: ['user_unknown', 'address_unknown'],
  listSkus: ['changed_meanwhile'],
  addSkus: ['user_unknown', 'book_full', ...FIELD_CODES],
  updateSku: ['sku_unknown', 'sku_taken', ...FIELD_CODES],
  deleteSku: ['sku_unknown'],
  createWebhook: ['limit_reached', 'address_not_allowed', ...FIELD_CODES],
  updateWebhook: ['webhook_unknown', 'address_not_allowed', 'wrong_state', ...FIELD_CODES],
  deleteWebhook: ['webhook_unknown'],
  listDeliveries: ['webhook_unknown'],
  testWebhook: ['webhook_unknown', 'wrong_state'],
  replayDelivery: ['webhook_unknown', 'delivery_unknown'],
  currentKey: ['key_unknown'],
}

const LISTED_STATUSES = [404, 409, 422]

/**
 * Codes with which the call refuses with this status. Null, or a call without a list: all codes with
 * the status.
 */
export function codesWithStatus(endpoint: Endpoint | null, status: number): RefusalCode[] {
  const listed = LISTED_STATUSES.includes(status) ? CALL_CODES[endpoint?.name ?? ''] : undefined
  const codes = listed ?? (Object.keys(REFUSALS) as RefusalCode[])
  return codes.filter(code => REFUSALS[code].status === status)
}

import type * as z from 'zod'
import { hasOptions } from '#contract/label-options.ts'
import type { LabelOptions } from '#contract/label-options.ts'
import { dollars, fromDollars } from '#contract/money.ts'
import {
  PACKAGE_FIELD_NAMES,
  RECEIVER_FIELD_NAMES,
  SENDER_FIELD_NAMES,
} from '#contract/order-field-names.ts'
import type { FieldNames } from '#contract/order-field-names.ts'
import { placeOrder } from '#contract/orders.ts'
import { readReceiverEmail } from '#contract/receiver-email.ts'
import { rowWarnings } from '#contract/row-warnings.ts'
import { isUsps, tidyRow, toBulkRow } from '#contract/rows.ts'
import type { BulkRow, RowField } from '#contract/rows.ts'
import { shortenText, tidyText } from '#contract/text.ts'
import type { WarningCode } from '#contract/warnings.ts'
import { loadPlaces } from '#contract/zip-places.ts'
import type { LabelContext } from '#server/orders/context.ts'
import { labelFileName } from '#server/orders/rules.ts'
import type { OrderInput } from '#server/orders/rules.ts'
import { Refusal, refuseField } from '#server/platform/http/refusal.ts'
import type { Router } from '#server/platform/http/router.ts'
import { purchaseLabel } from './place.ts'
import { requestOfHeader } from './reservation.ts'

export function registerPurchaseRoutes(router: Router, ctx: LabelContext): void {
  const sandbox = ctx.config.mode === 'sandbox'

  router.handle(placeOrder, async ({ body, caller, request, reply }) => {
    const input = orderInputFrom(body)
    const warnings = await orderWarnings(input.row)
    const repeated = requestOfHeader(caller.userId, request.headers['idempotency-key'], input)
    // Not compared with the first request: a repeat may have seen another price.
    const agreed = { ...input, ...agreedPriceOf(body) }
    const order = await purchaseLabel(ctx, caller.userId, agreed, repeated, caller.key).catch(
      rethrowWithNames(fieldNamesOf(body)),
    )
    const bought = order.trackingNumber !== null
    if (!bought) reply.code(202)
    return {
      data: {
        // A repeated request gets the same name after a void.
        pdfName: bought ? labelFileName(order.id, order.pdfKey, sandbox) : null,
        orderId: String(order.id),
        trackingNumber: order.trackingNumber,
        price: dollars(order.price),
      },
      message: bought
        ? 'Label Created Successfully!'
        : order.state === 'unknown'
          ? 'The label is being checked with the carrier. It will appear in Orders.'
          : 'The label is waiting for the carrier. It will appear in Orders.',
      ...(warnings.length > 0 && { warnings }),
    }
  })
}

/** By the call's own field names. */
const orderWarnings = async (
  row: BulkRow,
): Promise<{ field: string; code: WarningCode; message: string }[]> =>
  rowWarnings(row, await loadPlaces().catch(() => undefined)).map(({ field, code, message }) => ({
    field: ORDER_FIELD_NAMES[field] ?? field,
    code,
    message,
  }))

type PlaceOrderBody = z.output<NonNullable<typeof placeOrder.body>>

const agreedPriceOf = ({ agreed_price: price }: PlaceOrderBody): Pick<OrderInput, 'agreedPrice'> =>
  typeof price === 'number' ? { agreedPrice: fromDollars(price)! } : {}

/** As a row, so that the rules of bulk orders apply. */
function orderInputFrom(body: PlaceOrderBody): OrderInput {
  const { sender, receiver, package: parcel } = body
  const courier = tidyText(body.courier)
  if (courier !== '' && !isUsps(courier))
    throw refuseField(
      'courier',
      'option_not_offered',
      `Only USPS labels are sold here, not ${JSON.stringify(shortenText(courier))}: leave courier out`,
    )
  const row = toBulkRow({
    ...toRowFields(sender, SENDER_FIELD_NAMES),
    ...toRowFields(receiver, RECEIVER_FIELD_NAMES),
    ...toRowFields(parcel, PACKAGE_FIELD_NAMES),
    quantity: parcel.quantity ?? parcel.package_reference1,
    skuNumber: parcel.sku_number || parcel.package_reference2,
    ServiceName: body.service_name,
  })
  const email = readReceiverEmail(receiver.receiver_email)
  if (email === 'malformed')
    throw refuseField(
      'receiver_email',
      'email_malformed',
      `Receiver email "${shortenText(receiver.receiver_email)}" is not an address. Send one like name@example.com, or leave it out.`,
    )
  const options: LabelOptions = {
    signature: body.signature ?? 'none',
    saturday: body.saturday ?? false,
  }
  return {
    row: { ...tidyRow(row), ...(email.email !== '' && { ToEmail: email.email }) },
    manifested: body.manifested ?? false,
    ...(hasOptions(options) && { options }),
  }
}

const rethrowWithNames =
  (names: FieldNames) =>
  (error: unknown): never => {
    if (!(error instanceof Refusal) || !error.fields) throw error
    const fields = Object.entries(error.fields).map(
      ([field, fault]) => [names[field as RowField] ?? field, fault] as const,
    )
    throw new Refusal(error.code, error.message, { fields: Object.fromEntries(fields) })
  }

const ORDER_FIELD_NAMES: FieldNames = {
  ...SENDER_FIELD_NAMES,
  ...RECEIVER_FIELD_NAMES,
  ...PACKAGE_FIELD_NAMES,
  ServiceName: 'service_name',
}

/** Quantity and SKU by the name that the call gave them. */
const fieldNamesOf = ({ package: parcel }: PlaceOrderBody): FieldNames => ({
  ...ORDER_FIELD_NAMES,
  ...((parcel.quantity ?? null) === null && { quantity: 'package_reference1' }),
  ...(parcel.sku_number === '' && { skuNumber: 'package_reference2' }),
})

const toRowFields = (part: Record<string, unknown>, names: FieldNames): Record<string, unknown> =>
  Object.fromEntries(Object.entries(names).map(([field, name]) => [field, part[name]]))

/**
 * A stub of EasyPost: shipments that are created and bought, refunds, label files, trackers, SCAN forms. It
 * behaves as the published recordings and records what it sold.
 */
import { randomBytes } from 'node:crypto'
import * as z from 'zod'
import type { TrackingStatus } from '#contract/tracking.ts'
import type { CarrierLabelFormat } from '#server/carriers/port.ts'
import type { CarrierBehavior } from '#tests/support/carriers/behavior.ts'
import { createFormBooks } from './form-books.ts'
import type { StubForm } from './form-books.ts'
import { labelFile, openStubServer } from './stub-server.ts'
import type { StubAction, StubRequest, StubReply } from './stub-server.ts'

export const EASYPOST_KEY = 'EZAKevenpost7f3c9a2b1d8e4056'

type Refund = 'submitted' | 'refunded' | 'rejected'
/** A shipment in its books; `purchasedLevel` is what was bought, null before. */
export type EasypostShipment = {
  id: string
  reference: string | null
  body: CreateShipmentBody
  purchasedLevel: string | null
  trackingNumber: string | null
  refund: Refund | null
  status: TrackingStatus
  at: Date
  /** Formats that its label was converted to: EasyPost converts a label that was made as PNG. */
  conversions: ('PDF' | 'ZPL')[]
}

export type EasypostStub = {
  urlOn(behavior?: CarrierBehavior): string
  shipments: Map<string, EasypostShipment>
  /** In the order they came. */
  requests: StubRequest[]
  formsWith(trackingNumber: string): number
  close(): Promise<void>
}

const text = z.string().min(1)
const Address = z
  .object({
    name: text,
    company: text.optional(),
    street1: text,
    street2: text.optional(),
    city: text,
    state: z.string().length(2),
    zip: z.string().regex(/^\d{5}(-\d{4})?$/),
    country: z.literal('US'),
    phone: z
      .string()
      .regex(/^\d{10,15}$/)
      .optional(),
  })
  .strict()
const CreateShipmentBody = z.object({
  shipment: z
    .object({
      reference: text.optional(),
      from_address: Address,
      to_address: Address,
      parcel: z.object({
        length: z.number(),
        width: z.number(),
        height: z.number(),
        weight: z.number().positive().max(1120),
      }),
      options: z.object({
        label_format: z.enum(['PDF', 'PNG']),
        label_size: z.literal('4x6'),
        delivery_confirmation: z.enum(['SIGNATURE', 'ADULT_SIGNATURE']).optional(),
        saturday_delivery: z.boolean().optional(),
      }),
    })
    .strict(),
})
type CreateShipmentBody = z.output<typeof CreateShipmentBody>['shipment']

const RATES: Record<string, string> = {
  Express: '33.10',
  Priority: '6.90',
  GroundAdvantage: '5.93',
}
const id = (kind: string): string => `${kind}_${randomBytes(16).toString('hex')}`
const error = (
  status: number,
  code: string,
  message: unknown,
  errors: unknown[] = [],
  headers: Record<string, string> = {},
): StubReply => ({ status, body: { error: { code, message, errors } }, headers })
const NOT_FOUND = error(404, 'NOT_FOUND', 'The requested resource could not be found.')

const ratesOf = ({ id: shipmentId }: EasypostShipment) =>
  Object.entries(RATES).map(([service, rate]) => ({
    id: `rate_${service}_${shipmentId}`,
    object: 'Rate',
    mode: 'production',
    service,
    carrier: 'USPS',
    rate,
    currency: 'USD',
    list_rate: rate,
    retail_rate: rate,
    delivery_days: 2,
    shipment_id: shipmentId,
  }))

const ScanFormBody = z.object({
  scan_form: z.object({ shipments: z.array(z.object({ id: text }).strict()).min(1) }).strict(),
})

function toFormJson({ id: formId, trackingNumbers, isMade }: StubForm, origin: string) {
  const at = '2026-11-22T16:11:59Z'
  return {
    id: `sf_${formId}`,
    object: 'ScanForm',
    created_at: at,
    updated_at: at,
    tracking_codes: trackingNumbers,
    address: null,
    status: isMade ? 'created' : 'creating',
    message: null,
    form_url: isMade ? `${origin}/on/fine/files/sf_${formId}.pdf` : null,
    form_file_type: null,
    batch_id: null,
    confirmation: null,
  }
}

/** A shipment as EasyPost shows it; `origin` is where its label's file lies. */
function toShipmentJson(shipment: EasypostShipment, origin: string, behavior: CarrierBehavior) {
  const { purchasedLevel, trackingNumber } = shipment
  const rates = ratesOf(shipment)
  const madeAs = shipment.body.options.label_format
  const fileUrl = (format: string): string =>
    `${origin}/on/${behavior}/files/${shipment.id}.${format}`
  const label = {
    object: 'PostageLabel',
    label_size: '4x6',
    label_file_type: madeAs === 'PNG' ? 'image/png' : 'application/pdf',
    label_pdf_url: shipment.conversions.includes('PDF') ? fileUrl('pdf') : null,
    label_zpl_url: shipment.conversions.includes('ZPL') ? fileUrl('zpl') : null,
    label_epl2_url: null,
  }
  const detail = {
    object: 'TrackingDetail',
    message: `Parcel is ${shipment.status}`,
    status: shipment.status,
    datetime: '2026-11-20T16:12:15Z',
  }
  return {
    id: shipment.id,
    object: 'Shipment',
    mode: 'production',
    reference: shipment.reference,
    messages: [],
    rates,
    fees: [],
    tracking_code: trackingNumber,
    refund_status: shipment.refund,
    selected_rate:
      purchasedLevel === null ? null : rates.find(({ service }) => service === purchasedLevel),
    postage_label:
      purchasedLevel === null || behavior === 'label-late'
        ? null
        : { ...label, label_url: fileUrl(madeAs.toLowerCase()) },
    tracker:
      purchasedLevel === null
        ? null
        : {
            object: 'Tracker',
            status: shipment.status,
            status_detail: 'status_update',
            tracking_details: [detail],
          },
  }
}

export async function openEasypostStub(
  drawBehavior?: (request: StubRequest) => CarrierBehavior,
): Promise<EasypostStub> {
  const shipments = new Map<string, EasypostShipment>()
  const forms = createFormBooks()
  const asked: StubRequest[] = []
  let serial = 0
  const find = (ref: string): EasypostShipment | undefined =>
    shipments.get(ref) ?? [...shipments.values()].find(({ reference }) => reference === ref)

  function create({ body, headers, behavior }: StubRequest): StubReply {
    const made = CreateShipmentBody.safeParse(body).data?.shipment
    if (!made)
      return error(422, 'PARAMETER.INVALID', 'Wrong parameter.', [
        { field: 'shipment', message: 'is invalid' },
      ])
    const shipment: EasypostShipment = {
      id: id('shp'),
      reference: made.reference ?? null,
      body: made,
      purchasedLevel: null,
      trackingNumber: null,
      refund: null,
      status: 'unknown',
      at: new Date(),
      conversions: [],
    }
    shipments.set(shipment.id, shipment)
    return { status: 201, body: toShipmentJson(shipment, `http://${headers.host}`, behavior) }
  }

  function buy(shipment: EasypostShipment, request: StubRequest): StubReply {
    const { behavior, headers, body } = request
    if (behavior === 'busy')
      return error(429, 'RATE_LIMITED', 'Too many requests', [], { 'retry-after': '2' })
    if (behavior === 'no-funds')
      return error(402, 'PAYMENT_REQUIRED', `Insufficient funds for ${headers.authorization}`)
    if (behavior === 'refuses') {
      return error(
        422,
        'SHIPMENT.POSTAGE.FAILURE',
        `Unable to buy postage with ${headers.authorization}`,
        [{ field: 'to_address', message: 'Address not found', suggestion: null }],
      )
    }
    if (shipment.purchasedLevel !== null)
      return error(422, 'SHIPMENT.POSTAGE.EXISTS', 'Postage already exists for this shipment.')
    const wanted = z.object({ rate: z.object({ id: text }) }).safeParse(body).data?.rate.id
    const rate = ratesOf(shipment).find(one => one.id === wanted)
    if (!rate) return error(422, 'SHIPMENT.RATE.UNAVAILABLE', ['The rate is not of this shipment'])
    const trackingNumber = `9400100${String(++serial).padStart(15, '0')}`
    Object.assign(shipment, { purchasedLevel: rate.service, trackingNumber, status: 'pre_transit' })
    return { status: 200, body: toShipmentJson(shipment, `http://${headers.host}`, behavior) }
  }

  function refund(shipment: EasypostShipment, { behavior, headers }: StubRequest): StubReply {
    if (behavior === 'void-busy')
      return error(429, 'RATE_LIMITED', 'Too many requests', [], { 'retry-after': '2' })
    if (shipment.refund === 'submitted')
      return error(422, 'SHIPMENT.REFUND.EXISTS', 'A refund was requested before.')
    if (shipment.purchasedLevel === null)
      return error(422, 'SHIPMENT.REFUND.UNAVAILABLE', 'Nothing was bought.')
    shipment.refund =
      behavior === 'void-submitted'
        ? 'submitted'
        : behavior === 'void-refused'
          ? 'rejected'
          : 'refunded'
    return { status: 200, body: toShipmentJson(shipment, `http://${headers.host}`, behavior) }
  }

  function convert(shipment: EasypostShipment, request: StubRequest): StubReply {
    const format = request.query.get('file_format')
    if (format !== 'PDF' && format !== 'ZPL')
      return error(422, 'SHIPMENT.LABEL.FORMAT', 'Invalid file_format.')
    if (shipment.body.options.label_format !== 'PNG')
      return error(422, 'SHIPMENT.LABEL.CONVERT', 'Only a PNG label can be converted.')
    if (request.behavior !== 'label-late' && !shipment.conversions.includes(format))
      shipment.conversions.push(format)
    return read(shipment, request)
  }

  function read(shipment: EasypostShipment, { behavior, headers }: StubRequest): StubReply {
    // Pending voids are decided by the next fine behavior.
    if (behavior === 'fine' && shipment.refund === 'submitted') shipment.refund = 'refunded'
    const form = shipment.trackingNumber && forms.formOf(shipment.trackingNumber)
    const origin = `http://${headers.host}`
    const body = toShipmentJson(shipment, origin, behavior)
    return { status: 200, body: { ...body, scan_form: form ? toFormJson(form, origin) : null } }
  }

  function makeForm({ body, behavior, headers }: StubRequest): StubReply {
    if (behavior === 'busy')
      return error(429, 'RATE_LIMITED', 'Too many requests', [], { 'retry-after': '2' })
    if (behavior === 'form-refused')
      return error(422, 'SCAN_FORM.INVALID', 'Shipments must have the same origin')
    const named = ScanFormBody.safeParse(body).data?.scan_form.shipments ?? []
    const valid = named.map(one => find(one.id)).filter(one => one?.refund === null)
    const numbers = valid.map(one => one!.trackingNumber)
    const isWhole = numbers.length > 0 && numbers.length === named.length && !numbers.includes(null)
    const form = isWhole ? forms.add(numbers as string[], behavior !== 'form-late') : null
    return form
      ? { status: 201, body: toFormJson(form, `http://${headers.host}`) }
      : error(422, 'SCAN_FORM.INVALID', 'Some of these shipments are on a form or not bought')
  }

  function readForm({ path, behavior, headers }: StubRequest): StubReply {
    const form = forms.find(path.split('_').at(-1)!)
    if (!form) return NOT_FOUND
    if (behavior === 'fine') form.isMade = true
    return { status: 200, body: toFormJson(form, `http://${headers.host}`) }
  }

  const reply = (response: () => StubReply): StubAction => ({ reply: response })
  function serve(request: StubRequest): StubAction {
    const { method, path, behavior, headers } = request
    asked.push(request)
    const formFile = /^\/files\/sf_(\w+)\.pdf$/.exec(path)
    if (formFile)
      return reply(() => ({
        status: 200,
        type: 'application/pdf',
        bytes: labelFile(forms.find(formFile[1]!)!.trackingNumbers.join(' ')),
      }))
    const file = /^\/files\/(shp_\w+)\.(pdf|png|zpl)$/.exec(path)
    if (file) {
      return reply(() =>
        behavior === 'label-strange'
          ? { status: 200, type: 'text/html', bytes: Buffer.from('<html>It works!</html>') }
          : {
              status: 200,
              type: 'application/octet-stream',
              bytes: labelFile(find(file[1]!)?.trackingNumber ?? '', file[2] as CarrierLabelFormat),
            },
      )
    }
    if (
      headers.authorization !== `Basic ${Buffer.from(`${EASYPOST_KEY}:`).toString('base64')}`
      || behavior === 'wrong-key'
    ) {
      return reply(() =>
        error(
          401,
          'APIKEY.INACTIVE',
          `The key of ${headers.authorization} (${EASYPOST_KEY}) is not active.`,
        ),
      )
    }
    const found = /^\/v2\/shipments(?:\/([\w-]+)(?:\/(buy|refund|label))?)?$/.exec(path)
    if (path === '/v2/users')
      return reply(() => ({
        status: 200,
        body: { id: 'user_1', object: 'User', balance: '1204.29900' },
      }))
    if (method === 'POST' && path === '/v2/scan_forms')
      return { kind: 'form', reply: () => makeForm(request) }
    if (/^\/v2\/scan_forms\/sf_\w+$/.test(path)) return reply(() => readForm(request))
    if (!found) return reply(() => NOT_FOUND)
    const [, ref, act] = found
    if (!ref) return reply(() => (method === 'POST' ? create(request) : NOT_FOUND))
    const shipment = find(ref)
    if (!shipment) return reply(() => NOT_FOUND)
    if (act === 'buy') return { kind: 'buy', reply: () => buy(shipment, request) }
    if (act === 'label') return reply(() => convert(shipment, request))
    if (act === 'refund') return { kind: 'void', reply: () => refund(shipment, request) }
    return reply(() => read(shipment, request))
  }

  const { urlOn, close } = await openStubServer(serve, drawBehavior)
  return { urlOn, shipments, requests: asked, formsWith: forms.formsWith, close }
}

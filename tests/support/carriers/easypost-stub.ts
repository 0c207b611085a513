/**
 * EasyPost as far as this house uses it: shipments that are created and then bought, refunds, label files, trackers. It behaves as its
 * published recordings do and keeps books of what it really sold.
 */
import { randomBytes } from 'node:crypto'
import * as z from 'zod'
import type { TrackingStatus } from '#contract/tracking.ts'
import type { Day } from '#tests/conformance/subject.ts'
import { labelFile, openStandIn } from './stand-in.ts'
import type { Act, Question, Reply } from './stand-in.ts'

export const EASYPOST_KEY = 'EZAKevenpost7f3c9a2b1d8e4056'

type Refund = 'submitted' | 'refunded' | 'rejected'
/** A shipment in its books; `level` is what was bought, null before. */
export type EasypostShipment = {
  id: string
  reference: string | null
  made: Made
  level: string | null
  trackingNumber: string | null
  refund: Refund | null
  status: TrackingStatus
  at: Date
}

export type EasypostStub = {
  urlOn(day?: Day): string
  shipments: Map<string, EasypostShipment>
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
const Made = z.object({
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
      options: z.object({ label_format: z.enum(['PDF', 'PNG']), label_size: z.literal('4x6') }),
    })
    .strict(),
})
type Made = z.output<typeof Made>['shipment']

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
): Reply => ({ status, body: { error: { code, message, errors } }, headers })
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

/** A shipment as EasyPost shows it; `origin` is where its label's file lies. */
function shown(shipment: EasypostShipment, origin: string, day: Day) {
  const { level, trackingNumber } = shipment
  const rates = ratesOf(shipment)
  const label = {
    object: 'PostageLabel',
    label_size: '4x6',
    label_file_type: 'application/pdf',
    label_pdf_url: null,
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
    selected_rate: level === null ? null : rates.find(({ service }) => service === level),
    postage_label:
      level === null || day === 'label-late'
        ? null
        : { ...label, label_url: `${origin}/on/${day}/files/${shipment.id}.pdf` },
    tracker:
      level === null
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
  drawDay?: (question: Question) => Day,
): Promise<EasypostStub> {
  const shipments = new Map<string, EasypostShipment>()
  let serial = 0
  const find = (ref: string): EasypostShipment | undefined =>
    shipments.get(ref) ?? [...shipments.values()].find(({ reference }) => reference === ref)

  function create({ body, headers, day }: Question): Reply {
    const made = Made.safeParse(body).data?.shipment
    if (!made)
      return error(422, 'PARAMETER.INVALID', 'Wrong parameter.', [
        { field: 'shipment', message: 'is invalid' },
      ])
    const shipment: EasypostShipment = {
      id: id('shp'),
      reference: made.reference ?? null,
      made,
      level: null,
      trackingNumber: null,
      refund: null,
      status: 'unknown',
      at: new Date(),
    }
    shipments.set(shipment.id, shipment)
    return { status: 201, body: shown(shipment, `http://${headers.host}`, day) }
  }

  function buy(shipment: EasypostShipment, question: Question): Reply {
    const { day, headers, body } = question
    if (day === 'busy')
      return error(429, 'RATE_LIMITED', 'Too many requests', [], { 'retry-after': '2' })
    if (day === 'no-funds')
      return error(402, 'PAYMENT_REQUIRED', `Insufficient funds for ${headers.authorization}`)
    if (day === 'refuses') {
      return error(
        422,
        'SHIPMENT.POSTAGE.FAILURE',
        `Unable to buy postage with ${headers.authorization}`,
        [{ field: 'to_address', message: 'Address not found', suggestion: null }],
      )
    }
    if (shipment.level !== null)
      return error(422, 'SHIPMENT.POSTAGE.EXISTS', 'Postage already exists for this shipment.')
    const wanted = z.object({ rate: z.object({ id: text }) }).safeParse(body).data?.rate.id
    const rate = ratesOf(shipment).find(one => one.id === wanted)
    if (!rate) return error(422, 'SHIPMENT.RATE.UNAVAILABLE', ['The rate is not of this shipment'])
    const trackingNumber = `9400100${String(++serial).padStart(15, '0')}`
    Object.assign(shipment, { level: rate.service, trackingNumber, status: 'pre_transit' })
    return { status: 200, body: shown(shipment, `http://${headers.host}`, day) }
  }

  function refund(shipment: EasypostShipment, { day, headers }: Question): Reply {
    if (day === 'void-busy')
      return error(429, 'RATE_LIMITED', 'Too many requests', [], { 'retry-after': '2' })
    if (shipment.refund === 'submitted')
      return error(422, 'SHIPMENT.REFUND.EXISTS', 'A refund was requested before.')
    if (shipment.level === null)
      return error(422, 'SHIPMENT.REFUND.UNAVAILABLE', 'Nothing was bought.')
    shipment.refund =
      day === 'void-submitted' ? 'submitted' : day === 'void-refused' ? 'rejected' : 'refunded'
    return { status: 200, body: shown(shipment, `http://${headers.host}`, day) }
  }

  function read(shipment: EasypostShipment, { day, headers }: Question): Reply {
    // Whatever it thought about, it has decided by the next fine day.
    if (day === 'fine' && shipment.refund === 'submitted') shipment.refund = 'refunded'
    return { status: 200, body: shown(shipment, `http://${headers.host}`, day) }
  }

  const reply = (answer: () => Reply): Act => ({ answer })
  function serve(question: Question): Act {
    const { method, path, day, headers } = question
    const file = /^\/files\/(shp_\w+)\.pdf$/.exec(path)
    if (file) {
      return reply(() =>
        day === 'label-strange'
          ? { status: 200, type: 'text/html', bytes: Buffer.from('<html>It works!</html>') }
          : {
              status: 200,
              type: 'application/pdf',
              bytes: labelFile(find(file[1]!)?.trackingNumber ?? ''),
            },
      )
    }
    if (
      headers.authorization !== `Basic ${Buffer.from(`${EASYPOST_KEY}:`).toString('base64')}`
      || day === 'wrong-key'
    ) {
      return reply(() =>
        error(
          401,
          'APIKEY.INACTIVE',
          `The key of ${headers.authorization} (${EASYPOST_KEY}) is not active.`,
        ),
      )
    }
    const found = /^\/v2\/shipments(?:\/([\w-]+)(?:\/(buy|refund))?)?$/.exec(path)
    if (path === '/v2/users')
      return reply(() => ({
        status: 200,
        body: { id: 'user_1', object: 'User', balance: '1204.29900' },
      }))
    if (!found) return reply(() => NOT_FOUND)
    const [, ref, act] = found
    if (!ref) return reply(() => (method === 'POST' ? create(question) : NOT_FOUND))
    const shipment = find(ref)
    if (!shipment) return reply(() => NOT_FOUND)
    if (act === 'buy') return { act: 'buy', answer: () => buy(shipment, question) }
    if (act === 'refund') return { act: 'void', answer: () => refund(shipment, question) }
    return reply(() => read(shipment, question))
  }

  const { urlOn, close } = await openStandIn(serve, drawDay)
  return { urlOn, shipments, close }
}

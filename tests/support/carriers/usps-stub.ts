/**
 * A stub of USPS: expiring tokens, labels under a key, reprints, cancellations. It behaves as the
 * published interface and records what it sold.
 */
import { randomUUID } from 'node:crypto'
import type { TrackingStatus } from '#contract/tracking.ts'
import type { CarrierLabelFormat } from '#server/carriers/port.ts'
import type { CarrierBehavior } from '#tests/support/carriers/behavior.ts'
import { createFormBooks } from './form-books.ts'
import { labelFile, openStubServer } from './stub-server.ts'
import type { StubAction, StubRequest, StubReply } from './stub-server.ts'

export const USPS_ACCOUNT = {
  crid: '12345678',
  mid: '903000000',
  manifestMid: '903000001',
  type: 'EPS',
  number: '1000654321',
}
export const USPS_KEYS = {
  clientId: 'evenpost-test-client',
  clientSecret: 'S3cr3t/of+the=test-client',
}

/** A label in its books; `body`: what it was asked for with, as text. */
export type UspsStubLabel = {
  key: string
  body: string
  trackingNumber: string
  cents: number
  reprints: number
  state: 'sold' | 'cancelled' | 'disputed'
  /** Null while USPS has no event of it. */
  parcel: TrackingStatus | null
}

export type UspsStub = {
  urlOn(behavior?: CarrierBehavior): string
  labels: Map<string, UspsStubLabel>
  /** Questions in the order they came: 'POST /labels/v3/label'. */
  requests: { what: string; request: StubRequest }[]
  /** Every token so far is refused from now on. */
  revokeTokens(): void
  formsWith(trackingNumber: string): number
  /** Tokens it has given out, and the client's secret. */
  secrets(): string[]
  close(): Promise<void>
}

const PRICES: Record<string, number> = {
  USPS_GROUND_ADVANTAGE: 593,
  PRIORITY_MAIL: 690,
  PRIORITY_MAIL_EXPRESS: 2610,
}

const problem = (status: number, detail: string, more: object = {}): StubReply => ({
  status,
  body: {
    apiVersion: '/labels/v3',
    error: {
      code: String(status),
      message: 'Bad Request',
      errors: [{ title: 'Bad Request', detail, code: '160031', ...more }],
    },
  },
})

const PARCEL_WORDS: Partial<
  Record<TrackingStatus, [category: string, event: string, code: string]>
> = {
  pre_transit: ['Pre-Shipment', 'Shipping Label Created, USPS Awaiting Item', 'GX'],
  in_transit: ['Moving Through Network', 'Departed USPS Facility', 'T1'],
  out_for_delivery: ['Out for Delivery', 'Out for Delivery', 'OF'],
  delivered: ['Delivered', 'Delivered, In/At Mailbox', '01'],
}

/** As USPS answers with expand=DETAIL: newest first, absent texts null. */
function trackingDetails(trackingNumber: string, status: TrackingStatus): object {
  const steps = ['pre_transit', 'in_transit', 'out_for_delivery', 'delivered'] as const
  const past = steps.slice(0, steps.indexOf(status as (typeof steps)[number]) + 1)
  const [statusCategory, newest] = PARCEL_WORDS[status]!
  return {
    trackingNumber,
    status: newest,
    statusCategory,
    statusSummary: `Your item: ${newest}`,
    expectedDeliveryTimeStamp: '2026-11-27T00:00:00',
    trackingEvents: past.toReversed().map((step, at) => ({
      eventType: PARCEL_WORDS[step]![1],
      eventTimestamp: `2026-11-2${3 - at}T18:31:00`,
      GMTTimestamp: `2026-11-2${3 - at}T00:31:21Z`,
      GMTOffset: '-06:00',
      eventCountry: null,
      eventCity: 'NEW BERLIN',
      eventState: 'WI',
      eventZIP: '53151',
      firm: null,
      name: 'J RIVERA',
      authorizedAgent: 'false',
      eventCode: PARCEL_WORDS[step]![2],
    })),
  }
}

/** `busySeconds`: of Retry-After with `busy`. */
export async function openUspsStub(
  drawBehavior?: (request: StubRequest) => CarrierBehavior,
  busySeconds = 7,
): Promise<UspsStub> {
  const labels = new Map<string, UspsStubLabel>()
  const asked: UspsStub['requests'] = []
  const forms = createFormBooks()
  const tokens = new Set<string>()
  const payments = new Set<string>()
  const secrets = [USPS_KEYS.clientSecret]

  const busy = (): StubReply => ({
    ...problem(429, 'Quota exceeded'),
    headers: { 'retry-after': String(busySeconds) },
  })
  const give = (to: Set<string>, kind: string): string => {
    const token = `${kind}-${randomUUID()}`
    to.add(token)
    secrets.push(token)
    return token
  }

  const figures = (label: UspsStubLabel) => ({
    trackingNumber: label.trackingNumber,
    postage: (label.cents - 40) / 100,
    fees: [{ name: 'Nonstandard', price: 0.4 }],
    extraServices: [],
    zone: '04',
    SKU: 'TESTSKU',
    weightUOM: 'lb',
    weight: 2,
    links: [{ rel: ['tracking'] }],
  })
  const FORMATS: Record<string, CarrierLabelFormat> = { PDF: 'pdf', PNG: 'png', ZPL203DPI: 'zpl' }
  const imageOf = (label: UspsStubLabel, { behavior, body }: StubRequest): string => {
    const { imageType } = (body as { imageInfo: { imageType: string } }).imageInfo
    return behavior === 'label-strange'
      ? Buffer.from('<html>').toString('base64')
      : labelFile(label.trackingNumber, FORMATS[imageType]!).toString('base64')
  }
  const JSON_TYPE = 'application/vnd.usps.labels+json'

  function signedIn({ behavior, headers }: StubRequest): StubReply | null {
    const token = headers.authorization?.replace('Bearer ', '') ?? ''
    if (behavior === 'wrong-key' || !tokens.has(token))
      return problem(401, `The access token ${token} is invalid`)
    const payment = String(headers['x-payment-authorization-token'])
    return payments.has(payment)
      ? null
      : problem(403, `The payment authorization token ${payment} is expired`)
  }

  function sell(request: StubRequest): StubReply {
    const { behavior, headers, body } = request
    if (behavior === 'busy') return busy()
    if (behavior === 'no-funds') return problem(402, 'Insufficient funds in the payment account')
    if (behavior === 'refuses') {
      return problem(400, 'Address not found', {
        source: { parameter: 'toAddress.streetAddress', example: '123 Main St' },
      })
    }
    const key = String(headers['x-idempotency-key'])
    const text = JSON.stringify(body)
    const known = labels.get(key)
    if (known && known.body !== text)
      return problem(400, 'The idempotency key was used with another payload')
    const {
      packageDescription: { mailClass },
    } = body as { packageDescription: { mailClass: string } }
    const label = known ?? {
      key,
      body: text,
      cents: PRICES[mailClass]! + 40,
      reprints: 0,
      state: 'sold' as const,
      parcel: null,
      trackingNumber: `9205590${String(labels.size).padStart(15, '0')}`,
    }
    labels.set(key, label)
    const image = behavior === 'label-late' ? {} : { labelImage: imageOf(label, request) }
    return { status: 200, type: JSON_TYPE, body: { ...figures(label), ...image } }
  }

  function reprint(request: StubRequest): StubReply {
    const { behavior, headers } = request
    const label = labels.get(String(headers['x-idempotency-key']))
    if (!label) return problem(404, 'Label not found')
    if (behavior === 'label-late') return problem(503, 'Service is unavailable')
    if (label.state === 'cancelled')
      return problem(400, 'Canceled labels are not eligible for reprint')
    if (label.reprints >= 3) return problem(400, 'The label has reached its limit of reprints')
    label.reprints++
    const reprintInfo = { reprintNumber: label.reprints, reprintLimit: 3 }
    return {
      status: 200,
      type: JSON_TYPE,
      body: { labelMetadata: figures(label), labelImage: imageOf(label, request), reprintInfo },
    }
  }

  function cancel({ behavior, path }: StubRequest): StubReply {
    if (behavior === 'void-busy' || behavior === 'busy') return busy()
    const label = [...labels.values()].find(({ trackingNumber }) =>
      path.endsWith(`/${trackingNumber}`),
    )
    const missing = problem(400, 'Order not found', { source: { parameter: 'trackingNumber' } })
    if (!label) return missing
    if (behavior === 'void-refused')
      return problem(400, 'A refund request for this order cannot be submitted')
    if (label.state === 'cancelled') return missing
    if (behavior === 'void-submitted') {
      if (label.state === 'disputed')
        return problem(400, 'A refund request for this order has already been submitted today')
      label.state = 'disputed'
      return {
        status: 200,
        body: { trackingNumber: label.trackingNumber, status: 'DISPUTED', disputeId: '104660' },
      }
    }
    label.state = 'cancelled'
    return { status: 200, body: { trackingNumber: label.trackingNumber, status: 'CANCELED' } }
  }

  /** The answer has the only copy of the form. */
  function makeForm({ behavior, body }: StubRequest): StubReply {
    if (behavior === 'busy') return busy()
    const { trackingNumbers } = (body as { shipment: { trackingNumbers: string[] } }).shipment
    const known = [...labels.values()].filter(
      one => one.state === 'sold' && trackingNumbers.includes(one.trackingNumber),
    )
    const isWhole = behavior !== 'form-refused' && known.length === trackingNumbers.length
    const form = isWhole ? forms.add(trackingNumbers, true) : null
    if (!form) return problem(400, 'Labels are invalid or have already been manifested')
    return {
      status: 200,
      type: JSON_TYPE,
      body: {
        manifestNumber: form.id,
        trackingNumbers,
        SCANFormImage: labelFile(trackingNumbers.join(' ')).toString('base64'),
      },
    }
  }

  function follow(request: StubRequest): StubReply {
    if (request.headers['x-payment-authorization-token'] !== undefined)
      return problem(400, 'No payment is authorized by a look-up')
    const label = [...labels.values()].find(({ trackingNumber }) =>
      request.path.endsWith(`/${trackingNumber}`),
    )
    if (!label) return problem(404, 'The tracking number may be incorrect')
    if (label.parcel === null)
      return problem(
        400,
        '12: A status update is not yet available on your package. Check back soon.',
      )
    return { status: 200, body: trackingDetails(label.trackingNumber, label.parcel) }
  }

  function price({ behavior, body }: StubRequest): StubReply {
    if (behavior === 'busy') return problem(429, 'Too many requests')
    const { mailClass } = body as { mailClass: string }
    const dollars = PRICES[mailClass]! / 100
    const rate = { SKU: 'TEST', priceType: 'COMMERCIAL', price: dollars, mailClass, zone: '04' }
    return { status: 200, body: { totalBasePrice: dollars, rates: [rate] } }
  }

  function serve(request: StubRequest): StubAction {
    const { method, path, behavior, body } = request
    const what = `${method} ${path.replace(/\d{22}$/, '*')}`
    const free = (response: () => StubReply): StubAction => ({
      reply: () => {
        asked.push({ what, request })
        return response()
      },
    })
    const withAccess = (response: () => StubReply): StubAction =>
      free(() => {
        const token = request.headers.authorization?.replace('Bearer ', '') ?? ''
        return tokens.has(token) ? response() : problem(401, 'The access token is invalid')
      })
    const gated = (response: (request: StubRequest) => StubReply) => () =>
      signedIn(request) ?? response(request)
    switch (what) {
      case 'POST /oauth2/v3/token':
        return free(() => {
          const { client_id: id, client_secret: secret } = body as Record<string, string>
          if (
            behavior === 'wrong-key'
            || id !== USPS_KEYS.clientId
            || secret !== USPS_KEYS.clientSecret
          ) {
            return {
              status: 401,
              body: { error: 'invalid_client', error_description: `no client with ${secret}` },
            }
          }
          return {
            status: 200,
            body: {
              access_token: give(tokens, 'access'),
              token_type: 'Bearer',
              expires_in: '28799',
            },
          }
        })
      case 'POST /payments/v3/payment-authorization':
        return withAccess(() => ({
          status: 200,
          body: {
            paymentAuthorizationToken: give(payments, 'payment'),
            roles: (body as { roles: unknown }).roles,
          },
        }))
      case 'POST /labels/v3/label':
        return { ...free(gated(sell)), kind: 'buy' }
      case 'DELETE /labels/v3/label/*':
        return { ...free(gated(cancel)), kind: 'void' }
      case 'POST /scan-forms/v3/scan-form':
        return { ...free(gated(makeForm)), kind: 'form' }
      case 'GET /tracking/v3/tracking/*':
        return withAccess(() => follow(request))
      case 'POST /prices/v3/base-rates/search':
        return withAccess(() => price(request))
      case 'POST /labels/v3/label-reprint':
        return free(gated(reprint))
      default:
        return free(() => problem(404, `There is no ${what}`))
    }
  }

  const standIn = await openStubServer(serve, drawBehavior)
  return {
    urlOn: standIn.urlOn,
    labels,
    requests: asked,
    revokeTokens: () => {
      tokens.clear()
      payments.clear()
    },
    secrets: () => secrets,
    formsWith: forms.formsWith,
    close: standIn.close,
  }
}

/**
 * A stub of ShipEngine: shipments with unique names, labels, files, voids, tracking. It behaves as
 * the published interface and records what it sold.
 */

import type { TrackingStatus } from '#contract/tracking.ts'
import { LABEL_MIME } from '#server/carriers/port.ts'
import type { CarrierLabelFormat } from '#server/carriers/port.ts'
import type { CarrierBehavior } from '#tests/support/carriers/behavior.ts'
import { createFormBooks } from './form-books.ts'
import type { StubForm } from './form-books.ts'
import { estimates } from './shipengine-estimates.ts'
import { labelFile, openStubServer } from './stub-server.ts'
import type { StubAction, StubRequest, StubReply } from './stub-server.ts'

export const SHIPENGINE_KEYS = { apiKey: 'evenpost+shipengine/unit=4711', carrierId: 'se-123890' }

/** A label in its books; `name`: that of its shipment. */
export type ShipEngineStubLabel = {
  id: string
  name: string
  trackingNumber: string
  cents: number
  isVoided: boolean
  trackingCode: string
  createdAt: Date
  /** It could not be made; nothing was taken for it. */
  isBroken?: boolean
  /** It was bought with a label_format. */
  isOnlyPdf?: boolean
  confirmation?: string
}

export type ShipEngineStub = {
  urlOn(behavior?: CarrierBehavior): string
  labels: ShipEngineStubLabel[]
  /** Questions in the order they came: 'POST /v1/labels'; `at`: when, in ms since 1970. */
  requests: { what: string; request: StubRequest; at: number }[]
  /** A shipment of this name is there without a label, made at this time. */
  addUnlabeledShipment(name: string, made: Date): void
  moveParcel(trackingNumber: string, status: TrackingStatus): void
  formsWith(trackingNumber: string): number
  close(): Promise<void>
}

const PRICES: Record<string, number> = {
  usps_ground_advantage: 593,
  usps_priority_mail: 690,
  usps_priority_mail_express: 2610,
}
const CODES: Partial<Record<TrackingStatus, string>> = {
  pre_transit: 'NY',
  in_transit: 'IT',
  delivered: 'DE',
  available_for_pickup: 'SP',
}

const problem = (status: number, code: string, message: string, more: object = {}): StubReply => ({
  status,
  body: {
    request_id: 'aa3d8e8e-462b-4476-9618-72db7f7b7009',
    errors: [
      { error_source: 'shipengine', error_type: 'validation', error_code: code, message, ...more },
    ],
  },
})

/** `busySeconds`: of Retry-After with `busy`. */
export async function openShipEngineStub(
  drawBehavior?: (request: StubRequest) => CarrierBehavior,
  busySeconds = 7,
): Promise<ShipEngineStub> {
  const labels: ShipEngineStubLabel[] = []
  const shipments = new Map<string, { id: string; name: string; service: string; made: Date }>()
  const asked: ShipEngineStub['requests'] = []
  const forms = createFormBooks()

  const busy = (): StubReply => ({
    ...problem(429, 'rate_limit_exceeded', 'Too many requests'),
    headers: { 'retry-after': String(busySeconds) },
  })

  /** `question` says how the file is wanted, and where its address would be. */
  function described(label: ShipEngineStubLabel, { behavior, query, body }: StubRequest): object {
    const options =
      (body as { label_download_type?: string } | undefined)?.label_download_type
      ?? query.get('label_download_type')
    const isInline =
      options === 'inline' && behavior !== 'label-late' && behavior !== 'label-strange'
    const place = (format: string): string =>
      `${standIn.urlOn(behavior)}/v1/downloads/10/abc/label-${label.id}.${format}`
    const href = isInline
      ? `data:application/pdf;base64,${labelFile(label.trackingNumber).toString('base64')}`
      : place('pdf')
    // One format was named: only that file is there. Else there is one of each.
    const others = label.isOnlyPdf ? {} : { png: place('png'), zpl: place('zpl') }
    const zero = { currency: 'usd', amount: 0 }
    return {
      label_id: label.id,
      status: label.isBroken ? 'error' : label.isVoided ? 'voided' : 'completed',
      shipment_id: `se-s${label.id}`,
      external_shipment_id: label.name,
      external_order_id: null,
      ship_date: '2026-11-21T00:00:00Z',
      created_at: label.createdAt.toISOString(),
      shipment_cost: { currency: 'usd', amount: label.cents / 100 },
      insurance_cost: zero,
      tracking_number: label.trackingNumber,
      is_return_label: false,
      rma_number: null,
      is_international: false,
      batch_id: '',
      carrier_id: SHIPENGINE_KEYS.carrierId,
      charge_event: 'carrier_default',
      service_code: 'usps_ground_advantage',
      package_code: 'package',
      voided: label.isVoided,
      voided_at: null,
      label_format: 'pdf',
      display_scheme: 'label',
      label_layout: '4x6',
      trackable: true,
      label_image_id: null,
      carrier_code: 'stamps_com',
      tracking_status: 'in_transit',
      label_download: isInline ? { href } : { pdf: href, ...others, href },
      form_download: null,
      qr_code_download: null,
      paperless_download: null,
      insurance_claim: null,
      packages: [],
      ship_to: {},
    }
  }

  function label(name: string, service: string, request: StubRequest): StubReply {
    const id = `se-${1000 + labels.length}`
    const one: ShipEngineStubLabel = {
      id,
      name,
      cents: PRICES[service]!,
      isVoided: false,
      trackingCode: 'UN',
      createdAt: new Date(),
      trackingNumber: `9400${String(labels.length).padStart(18, '0')}`,
      isOnlyPdf: (request.body as { label_format?: string }).label_format !== undefined,
      confirmation: (request.body as { shipment?: { confirmation?: string } }).shipment
        ?.confirmation,
    }
    labels.push(one)
    return { status: 200, body: described(one, request) }
  }

  function sell(request: StubRequest): StubReply {
    const { behavior } = request
    const { shipment } = request.body as {
      shipment: { external_shipment_id: string; service_code: string; ship_to: object }
    }
    if (behavior === 'busy') return busy()
    if (behavior === 'no-funds')
      return problem(400, 'insufficient_funds', 'The account has not enough funds', {
        error_type: 'account_status',
      })
    if (behavior === 'refuses') {
      return problem(400, 'invalid_address', 'The address is not deliverable', {
        field_name: 'shipment.ship_to.address_line1',
      })
    }
    const name = shipment.external_shipment_id
    if (shipments.has(name)) {
      return problem(400, 'identifier_conflict', `external_shipment_id ${name} already exists`, {
        error_type: 'business_rules',
      })
    }
    shipments.set(name, {
      id: `se-s${shipments.size}`,
      name,
      service: shipment.service_code,
      made: new Date(),
    })
    return label(name, shipment.service_code, request)
  }

  function cancel({ behavior, path }: StubRequest): StubReply {
    if (behavior === 'void-busy' || behavior === 'busy') return busy()
    const one = labels.find(({ id }) => path.includes(`/${id}/`))
    if (!one) return problem(404, 'invalid_identifier', 'There is no such label')
    const no = (reason: string, message: string): StubReply => ({
      status: 200,
      body: { approved: false, message, reason_code: reason },
    })
    if (behavior === 'void-refused') return no('label_already_used', 'This label was used already')
    if (one.isVoided) return no('label_already_voided', 'This label was voided already')
    one.isVoided = true
    return {
      status: 200,
      body: {
        approved: true,
        message: 'Request for refund submitted. This label has been voided.',
      },
    }
  }

  function find(request: StubRequest): StubReply {
    const last = request.path.split('/').at(-1)
    const one = labels.find(({ id, name }) => id === last || name === last)
    return one
      ? { status: 200, body: described(one, request) }
      : problem(404, 'invalid_identifier', `There is no label ${last}`)
  }

  function file({ behavior, path }: StubRequest): StubReply {
    const form = forms.find(/\/form-(\w+)\.pdf$/.exec(path)?.[1] ?? '')
    if (form)
      return {
        status: 200,
        type: 'application/pdf',
        bytes: labelFile(form.trackingNumbers.join(' ')),
      }
    if (behavior === 'label-late')
      return problem(404, 'file_not_found', 'The file is not there yet')
    if (behavior === 'label-strange')
      return { status: 200, type: 'text/html', bytes: Buffer.from('<html>Please sign in</html>') }
    const one = labels.find(({ id }) => path.includes(id))!
    const format = path.split('.').at(-1) as CarrierLabelFormat
    return { status: 200, type: LABEL_MIME[format], bytes: labelFile(one.trackingNumber, format) }
  }

  function follow({ path }: StubRequest): StubReply {
    const one = labels.find(({ id }) => path.includes(`/${id}/`))
    if (!one) return problem(404, 'invalid_identifier', 'There is no such label')
    return {
      status: 200,
      body: {
        tracking_number: one.trackingNumber,
        status_code: one.trackingCode,
        carrier_status_code: '1',
        carrier_status_description: 'Seen',
        events: [{ occurred_at: '2026-11-20T10:00:00Z' }, { occurred_at: '2026-11-21T10:00:00Z' }],
      },
    }
  }

  const manifest = ({ id, trackingNumbers }: StubForm) => ({
    manifest_id: `se-${id}`,
    form_id: `se-${id}`,
    created_at: '2026-11-22T16:39:34.503Z',
    ship_date: '2026-11-22T00:00:00Z',
    shipments: trackingNumbers.length,
    label_ids: labels
      .filter(one => trackingNumbers.includes(one.trackingNumber))
      .map(one => one.id),
    warehouse_id: 'se-1',
    submission_id: '9475711201080308027034',
    carrier_id: SHIPENGINE_KEYS.carrierId,
    manifest_download: { href: `${standIn.urlOn('fine')}/v1/downloads/form-${id}.pdf` },
  })
  const answerOf = (form: StubForm): StubReply => ({
    status: 200,
    body: form.isMade
      ? { manifests: [manifest(form)] }
      : {
          manifest_requests: [{ manifest_request_id: `se-${form.id}`, status: 'in_progress' }],
        },
  })

  function makeForm({ body, behavior }: StubRequest): StubReply {
    if (behavior === 'busy') return busy()
    const ids = (body as { label_ids: string[] }).label_ids
    const named = labels.filter(({ id, isVoided }) => ids.includes(id) && !isVoided)
    const numbers = named.map(({ trackingNumber }) => trackingNumber)
    const isWhole = behavior !== 'form-refused' && numbers.length === ids.length
    const form = isWhole ? forms.add(numbers, behavior !== 'form-late') : null
    return form
      ? answerOf(form)
      : problem(400, 'unspecified', 'Some of these labels are on a manifest already', {
          error_type: 'business_rules',
        })
  }

  function formRequest({ path, behavior }: StubRequest): StubReply {
    const form = forms.find(path.split('-').at(-1)!)
    if (!form) return problem(404, 'invalid_identifier', 'There is no such request')
    if (behavior === 'fine') form.isMade = true
    return answerOf(form)
  }

  function listForms({ query, behavior }: StubRequest): StubReply {
    const ids = query.getAll('label_ids')
    const numbers = labels.filter(({ id }) => ids.includes(id)).map(one => one.trackingNumber)
    const found = new Set(numbers.flatMap(number => forms.formOf(number) ?? []))
    for (const form of found) if (behavior === 'fine') form.isMade = true
    const manifests = [...found].filter(({ isMade }) => isMade).map(manifest)
    const links = { first: { href: '' }, last: { href: '' }, prev: {}, next: {} }
    return { status: 200, body: { manifests, total: manifests.length, page: 1, pages: 1, links } }
  }

  const ofShipment = (request: StubRequest): StubReply => {
    const found = [...shipments.values()].find(({ id }) => request.path.endsWith(`/${id}`))
    return found
      ? label(found.name, found.service, request)
      : problem(404, 'invalid_identifier', 'There is no such shipment')
  }
  const shipmentOf = ({ path }: StubRequest): StubReply => {
    const found = shipments.get(path.split('/').at(-1)!)
    if (!found) return problem(404, 'invalid_identifier', 'There is no such shipment')
    return {
      status: 200,
      body: {
        shipment_id: found.id,
        external_shipment_id: found.name,
        created_at: found.made.toISOString(),
      },
    }
  }

  const estimate = ({ behavior }: StubRequest): StubReply =>
    behavior === 'busy'
      ? busy()
      : { status: 200, body: estimates(SHIPENGINE_KEYS.carrierId, PRICES) }

  const SERVED: [
    pattern: RegExp,
    response: (request: StubRequest) => StubReply,
    act?: StubAction['kind'],
  ][] = [
    [/^POST \/v1\/labels$/, sell, 'buy'],
    [/^POST \/v1\/labels\/shipment\/[\w-]+$/, ofShipment, 'buy'],
    [/^POST \/v1\/rates\/estimate$/, estimate],
    [/^GET \/v1\/labels\/external_shipment_id\/[\w-]+$/, find],
    [/^GET \/v1\/labels\/[\w-]+$/, find],
    [/^GET \/v1\/labels\/[\w-]+\/track$/, follow],
    [/^PUT \/v1\/labels\/[\w-]+\/void$/, cancel, 'void'],
    [/^POST \/v1\/manifests$/, makeForm, 'form'],
    [/^GET \/v1\/manifests\/requests\/[\w-]+$/, formRequest],
    [/^GET \/v1\/manifests$/, listForms],
    [/^GET \/v1\/shipments\/external_shipment_id\/[\w-]+$/, shipmentOf],
    [
      /^GET \/v1\/carriers\/se-123890$/,
      () => ({ status: 200, body: { balance: 3799.529, requires_funded_amount: true } }),
    ],
  ]

  function serve(request: StubRequest): StubAction {
    const { method, path, behavior, headers } = request
    const what = `${method} ${path}`
    const found = SERVED.find(([pattern]) => pattern.test(what))
    return {
      ...(found?.[2] && { kind: found[2] }),
      reply() {
        if (path.startsWith('/v1/downloads/')) return file(request)
        asked.push({ what, request, at: Date.now() })
        const key = String(headers['api-key'])
        if (behavior === 'wrong-key' || key !== SHIPENGINE_KEYS.apiKey) {
          return problem(401, 'unauthorized', `The key ${key} is not valid`, {
            error_type: 'security',
          })
        }
        return found ? found[1](request) : problem(404, 'unspecified', `There is no ${what}`)
      },
    }
  }

  const standIn = await openStubServer(serve, drawBehavior)
  return {
    urlOn: standIn.urlOn,
    labels,
    requests: asked,
    addUnlabeledShipment: (name, made) =>
      void shipments.set(name, {
        id: `se-s${shipments.size}`,
        name,
        service: 'usps_priority_mail',
        made,
      }),
    moveParcel(trackingNumber, status) {
      const one = labels.find(label => label.trackingNumber === trackingNumber)
      if (one) one.trackingCode = CODES[status] ?? 'UN'
    },
    formsWith: forms.formsWith,
    close: standIn.close,
  }
}

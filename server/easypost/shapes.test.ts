/** Answers have the keys and types that EasyPost's answers have. */
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { testApp } from '#tests/support/app.ts'
import { keyFor, FROM_ADDRESS, SHIPMENT, TO_ADDRESS } from '#tests/support/easypost-client.ts'

const app = await testApp()
const user = await app.register()
await app.creditDollars(user.user._id, 1_000)
const key = await keyFor(app, user)

type Json = Record<string, unknown>

async function send(method: string, path: string, payload?: object): Promise<Json> {
  const { statusCode, body } = await app.send({
    method: method as 'GET',
    url: `/v2/${path}`,
    headers: { authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` },
    ...(payload && { payload }),
  })
  expect(statusCode, body).toBeLessThan(300)
  return JSON.parse(body) as Json
}

const bought = (more: object = {}): Promise<Json> =>
  send('POST', 'shipments', { shipment: { ...SHIPMENT, service: 'GroundAdvantage', ...more } })

/** The keys of each object, as EasyPost documents them. */
const KEYS: Record<string, string> = {
  Address:
    'id object created_at updated_at name company street1 street2 city state zip country'
    + ' phone email mode carrier_facility residential federal_tax_id state_tax_id'
    + ' verifications',
  Parcel: 'id object created_at updated_at length width height predefined_package weight mode',
  Rate:
    'id object created_at updated_at mode service carrier rate currency retail_rate'
    + ' retail_currency list_rate list_currency billing_type delivery_days delivery_date'
    + ' delivery_date_guaranteed est_delivery_days shipment_id carrier_account_id',
  PostageLabel:
    'object id created_at updated_at date_advance integrated_form label_date'
    + ' label_resolution label_size label_type label_file_type label_url label_pdf_url'
    + ' label_zpl_url label_epl2_url label_file',
  Tracker:
    'id object mode tracking_code status status_detail created_at updated_at signed_by'
    + ' weight est_delivery_date shipment_id carrier tracking_details fees carrier_detail'
    + ' public_url',
  Shipment:
    'created_at is_return messages mode options reference status tracking_code updated_at'
    + ' batch_id batch_status batch_message customs_info from_address insurance order_id'
    + ' parcel postage_label rates refund_status scan_form selected_rate tracker to_address'
    + ' usps_zone return_address buyer_address forms fees id object',
  Refund:
    'id object created_at updated_at tracking_code confirmation_number status carrier'
    + ' shipment_id',
  Batch:
    'id object mode state num_shipments reference created_at updated_at scan_form'
    + ' shipments status pickup label_url',
  ScanForm:
    'id object created_at updated_at tracking_codes address status message form_url'
    + ' form_file_type batch_id confirmation',
}

/** Objects inside an answer, by their names. */
function objectsIn(value: unknown): Json[] {
  if (Array.isArray(value)) return value.flatMap(objectsIn)
  if (typeof value !== 'object' || value === null) return []
  const inside = Object.values(value).flatMap(objectsIn)
  return 'object' in value ? [value as Json, ...inside] : inside
}

test('every object has the keys that its clients know', async () => {
  const shipment = await bought()
  const form = await send('POST', 'scan_forms', {
    scan_form: { shipments: [{ id: (await bought()).id }] },
  })
  const [refund] = (await send('POST', 'refunds', {
    refund: { carrier: 'USPS', tracking_codes: [shipment.tracking_code] },
  })) as unknown as Json[]
  const batch = await send('POST', 'batches', { batch: { shipments: [SHIPMENT] } })
  const seen = new Set<string>()
  for (const object of objectsIn([shipment, refund, batch, form])) {
    const name = String(object.object)
    seen.add(name)
    const missing = (KEYS[name] ?? '').split(' ').filter(key => key !== '' && !(key in object))
    expect({ name, missing }).toEqual({ name, missing: [] })
  }
  expect([...seen].filter(name => name in KEYS).toSorted()).toEqual(Object.keys(KEYS).toSorted())
})

type Exchange = {
  method: string
  path: string
  status: number
  requestBody?: Json
  responseBody: Json
}
type Case = { service: string; case: string; exchanges: Exchange[] }

const file = fileURLToPath(
  new URL('../../../shared/contracts/easypost/exchanges.json', import.meta.url),
)
const cases = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Case[]) : []

/** What Evenpost knows nothing of is null, and events of parcels have no places. */
const UNKNOWN_HERE =
  /customs_info|carrier_detail|tracking_details|options\.|fees\[\]|verifications|scan_form/

/** Where ours lacks a key of theirs, or has another type; null fits every type. */
function differences(theirs: unknown, ours: unknown, at: string): string[] {
  if (theirs === null || ours === null || UNKNOWN_HERE.test(at)) return []
  if (Array.isArray(theirs) !== Array.isArray(ours) || typeof theirs !== typeof ours)
    return [`${at}: ${typeof theirs} there, ${typeof ours} here`]
  if (Array.isArray(theirs))
    return theirs.length > 0 && (ours as unknown[]).length > 0
      ? differences(theirs[0], (ours as unknown[])[0], `${at}[]`)
      : []
  if (typeof theirs !== 'object') return []
  return Object.entries(theirs).flatMap(([key, value]) =>
    key in (ours as Json)
      ? differences(value, (ours as Json)[key], `${at}.${key}`)
      : UNKNOWN_HERE.test(`${at}.${key}`)
        ? []
        : [`${at}.${key} is missing`],
  )
}

const recorded = (service: string, name: string, index: number): Exchange =>
  cases.find(one => one.service === `${service}-Service` && one.case === name)!.exchanges[index]!

test.runIf(cases.length > 0)(
  'recorded answers of EasyPost have the same keys and types',
  async () => {
    const shipment = await bought({ reference: 'x' })
    const draft = await send('POST', 'shipments', { shipment: SHIPMENT })
    const batch = await send('POST', 'batches', { batch: { shipments: [SHIPMENT] } })
    const ours: [Exchange, unknown][] = [
      [recorded('Shipment', 'creates-a-shipment', 0), draft],
      [recorded('Shipment', 'buys-a-shipment', 1), shipment],
      [recorded('Shipment', 'retrieves-all-shipments', 0), await send('GET', 'shipments')],
      [
        recorded('Shipment', 'regenerates-rates-for-a-shipment', 1),
        await send('POST', `shipments/${draft.id as string}/rerate`, {}),
      ],
      [
        recorded('Shipment', 'converts-the-label-format-of-a-shipment', 2),
        await send('GET', `shipments/${shipment.id as string}/label?file_format=ZPL`),
      ],
      [
        recorded('Address', 'creates-an-address', 0),
        await send('POST', 'addresses', { address: FROM_ADDRESS }),
      ],
      [
        recorded('Address', 'creates-a-verified-address', 0),
        await send('POST', 'addresses/create_and_verify', { address: TO_ADDRESS }),
      ],
      [recorded('Address', 'retrieves-all-addresses', 0), await send('GET', 'addresses')],
      [
        recorded('Parcel', 'creates-a-parcel', 0),
        await send('POST', 'parcels', { parcel: SHIPMENT.parcel }),
      ],
      [recorded('Batch', 'creates-a-batch', 0), batch],
      [recorded('Batch', 'retrieves-all-batches', 0), await send('GET', 'batches')],
      [
        recorded('Tracker', 'creates-a-tracker', 0),
        await send('POST', 'trackers', { tracker: { tracking_code: shipment.tracking_code } }),
      ],
      [recorded('Tracker', 'retrieves-all-trackers', 0), await send('GET', 'trackers')],
      [
        recorded('Refund', 'creates-a-refund', 2),
        await send('POST', 'refunds', { refund: { tracking_codes: [shipment.tracking_code] } }),
      ],
      [recorded('Refund', 'retrieves-all-refunds', 0), await send('GET', 'refunds')],
    ]
    for (const [exchange, answer] of ours) {
      const name = `${exchange.method} ${exchange.path}`
      expect({ name, differs: differences(exchange.responseBody, answer, '') }).toEqual({
        name,
        differs: [],
      })
    }
  },
)

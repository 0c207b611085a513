import type { RequestInput } from '#contract/endpoint.ts'
import type { placeOrder } from '#contract/orders.ts'
import type { BulkRow } from '#contract/rows.ts'
import { emptyRow } from '#contract/rows.ts'

const STREETS = ['Hillcrest Blvd', 'Park Pl', 'Old Post Rd', 'Riverside Dr', 'Congress Ave']
const CITIES = [
  ['Austin', 'TX', '78701'],
  ['Portland', 'ME', '04101'],
  ['Fresno', 'CA', '93701'],
  ['Duluth', 'MN', '55802'],
  ['Bend', 'OR', '97701'],
] as const

/** A sound row, number `n`; `changes` make it what a test wants. */
export function row(n = 1, changes: Partial<BulkRow> = {}): BulkRow {
  const [city, state, zip] = CITIES[n % CITIES.length]!
  return {
    ...emptyRow(),
    FromSenderName: 'Mason Trading',
    FromStreet1: '100 Congress Ave',
    FromCity: 'Austin',
    FromStateProvince: 'TX',
    FromZipPostal: '78701',
    ToRecipientName: `Receiver ${n}`,
    ToStreet1: `${n} ${STREETS[n % STREETS.length]}`,
    ToCity: city,
    ToStateProvince: state,
    ToZipPostal: zip,
    PackageLength: '9',
    PackageWidth: '6',
    PackageHeight: '3',
    PackageWeight: '1.5',
    ServiceName: 'USPS Ground Advantage',
    ...changes,
  }
}

/** `count` sound rows; `change` makes single ones what a test wants. */
export const rows = (
  count: number,
  change: (n: number) => Partial<BulkRow> = () => ({}),
): BulkRow[] => Array.from({ length: count }, (_, i) => row(i + 1, change(i + 1)))

type SingleOrderBody = RequestInput<typeof placeOrder>['body']

/** A sound order for one label. */
export function singleOrderBody(
  userId: string,
  changes: {
    service_name?: string
    receiver?: Partial<SingleOrderBody['receiver']>
    package?: Partial<SingleOrderBody['package']>
  } = {},
): SingleOrderBody {
  const from = row()
  return {
    user_id: userId,
    service_name: changes.service_name ?? 'USPS Priority Mail',
    manifested: false,
    courier: 'usps',
    sender: {
      sender_name: from.FromSenderName,
      sender_phone: '',
      sender_company: '',
      sender_address1: from.FromStreet1,
      sender_address2: '',
      sender_city: from.FromCity,
      sender_state_province: from.FromStateProvince,
      sender_zip_postal: from.FromZipPostal,
      sender_country: 'US',
    },
    receiver: {
      receiver_name: 'June Rivera',
      receiver_phone: '559-555-0110',
      receiver_company: '',
      receiver_address1: '2210 E Olive Ave',
      receiver_address2: '',
      receiver_city: 'Fresno',
      receiver_state_province: 'CA',
      receiver_zip_postal: '93701',
      receiver_country: 'US',
      ...changes.receiver,
    },
    package: {
      package_length: 9,
      package_width: 6,
      package_height: 3,
      package_weight: 2,
      package_weight_unit: 'LB',
      package_description: 'Mug',
      package_reference1: 1,
      package_reference2: '',
      ...changes.package,
    },
  }
}

/**
 * What programs send to /v2. Lenient, as EasyPost is: unknown fields are ignored, null means absent,
 * and numbers may come as text. The server's rules say what is wrong with a value.
 */
import * as z from 'zod'
import { boundedRecord } from './bounded-record.ts'

/**
 * EasyPost's client for Node adds the whole request, as `_params`, to each object inside an answer,
 * and sends it along with the object: a batch of a rated shipment, whose address could not be
 * verified, has 18 levels.
 */
export const EASYPOST_BODY_DEPTH = 24

/** Longer texts are refused before anything reads them. */
const MAX_TEXT = 1_000
const Text = z.string().max(MAX_TEXT).nullish()
const Measure = z.union([z.number(), z.string().max(100)]).nullish()
const Flag = z.union([z.boolean(), z.string().max(10)]).nullish()
/** Programs also send ZIPs and phone numbers as numbers. */
const TextOrNumber = z.union([z.string().max(MAX_TEXT), z.number()]).nullish()

/** `true`, `[true]` or `['delivery']`. */
const Verify = z
  .union([
    z.boolean(),
    z.string().max(20),
    z.array(z.union([z.boolean(), z.string().max(20)])).max(10),
  ])
  .nullish()

/** With an id, the address of this id: the other fields count for nothing. */
export const AddressInput = z.object({
  id: Text,
  name: TextOrNumber,
  company: TextOrNumber,
  street1: TextOrNumber,
  street2: TextOrNumber,
  city: TextOrNumber,
  state: TextOrNumber,
  zip: TextOrNumber,
  country: TextOrNumber,
  phone: TextOrNumber,
  email: TextOrNumber,
  verify: Verify,
  verify_strict: Verify,
})
export type AddressInput = z.output<typeof AddressInput>

/** Inches and ounces. With an id, the parcel of this id. */
export const ParcelInput = z.object({
  id: Text,
  length: Measure,
  width: Measure,
  height: Measure,
  weight: Measure,
  predefined_package: Text,
})
export type ParcelInput = z.output<typeof ParcelInput>

const isObject = (given: unknown): given is Record<string, unknown> =>
  typeof given === 'object' && given !== null && !Array.isArray(given)

/** What counts of an object that has an id; an id alone stands for an object with it. */
function named(given: unknown): unknown {
  if (typeof given === 'string') return { id: given }
  if (!isObject(given) || typeof given.id !== 'string' || given.id === '') return given
  const { id, service, carrier } = given
  return { id, service, carrier }
}

const orId = <Object extends z.ZodType>(object: Object) => z.preprocess(named, object)

const MAX_OPTIONS = 50
type OptionParts = Record<string, string | number | boolean | null>

/** Names that begin with _ are what EasyPost's client for Node keeps in the objects of an answer. */
const isPrivate = (name: string): boolean => name.startsWith('_')

const scalarParts = (given: Record<string, unknown>): OptionParts =>
  Object.fromEntries(
    Object.entries(given).filter(
      ([name, part]) => !isPrivate(name) && (part === null || typeof part !== 'object'),
    ),
  ) as OptionParts

/**
 * What is no scalar is left out. Checked without schemas of its parts: for a list of shipments zod
 * could make 250,000 issues.
 */
const OptionParts = z
  .custom<Record<string, unknown>>(given => {
    const parts = isObject(given) ? Object.entries(scalarParts(given)) : null
    return (
      parts !== null
      && parts.length <= MAX_OPTIONS
      && parts.every(([name, part]) => name.length <= 60 && isOptionPart(part))
    )
  })
  .transform(scalarParts)
const isOptionPart = (part: unknown): boolean =>
  typeof part === 'string'
    ? part.length <= 200
    : part === null || typeof part === 'boolean' || Number.isFinite(part)

const Options = z.preprocess(
  given =>
    isObject(given)
      ? Object.fromEntries(Object.entries(given).filter(([name]) => !isPrivate(name)))
      : given,
  boundedRecord(
    z.string().max(60),
    z.union([z.string().max(MAX_TEXT), z.number(), z.boolean(), z.null(), OptionParts]),
    MAX_OPTIONS,
  ),
)

/** `service` buys the shipment at once. What it names and Evenpost does not offer is refused. */
export const ShipmentInput = z.object({
  to_address: orId(AddressInput).nullish(),
  from_address: orId(AddressInput).nullish(),
  return_address: orId(AddressInput).nullish(),
  parcel: orId(ParcelInput).nullish(),
  reference: z.union([z.string().max(100), z.number()]).nullish(),
  options: Options.nullish(),
  service: Text,
  carrier: Text,
  is_return: Flag,
  insurance: Measure,
})
export type ShipmentInput = z.output<typeof ShipmentInput>

export const CreateAddressBody = z
  .object({ address: AddressInput.nullish(), verify: Verify, verify_strict: Verify })
  .nullish()

export const CreateParcelBody = z.object({ parcel: ParcelInput.nullish() }).nullish()

export const CreateShipmentBody = z.object({ shipment: ShipmentInput.nullish() }).nullish()

export const BuyBody = z
  .object({
    rate: orId(z.object({ id: Text })).nullish(),
    insurance: Measure,
  })
  .nullish()

export const MAX_TRACKING_CODES = 100
const Codes = z.union([z.string().max(3_000), z.array(z.string().max(100)).max(MAX_TRACKING_CODES)])

export const CreateRefundBody = z
  .object({
    refund: z.object({ carrier: Text, tracking_codes: Codes.nullish() }).nullish(),
  })
  .nullish()

export const CreateTrackerBody = z
  .object({ tracker: z.object({ tracking_code: Text, carrier: Text }).nullish() })
  .nullish()

export const TrackersBody = z.object({ tracking_codes: Codes.nullish() }).nullish()

/** Of one call. */
export const MAX_BATCH_SHIPMENTS = 1_000

const ShipmentList = z.array(orId(ShipmentInput.extend({ id: Text }))).max(MAX_BATCH_SHIPMENTS)

export const CreateBatchBody = z
  .object({
    batch: z
      .object({
        reference: z.union([z.string().max(100), z.number()]).nullish(),
        shipments: ShipmentList.nullish(),
      })
      .nullish(),
  })
  .nullish()

const ShipmentIds = z
  .array(orId(z.object({ id: Text })))
  .max(MAX_BATCH_SHIPMENTS)
  .nullish()

export const BatchShipments = z
  .array(orId(z.object({ id: Text, service: Text, carrier: Text })))
  .max(MAX_BATCH_SHIPMENTS)
  .nullish()

export const BatchShipmentsBody = z.object({ shipments: BatchShipments }).nullish()

/** Shipments in `scan_form`, or beside it. */
export const ScanFormBody = z
  .object({ scan_form: z.object({ shipments: ShipmentIds }).nullish(), shipments: ShipmentIds })
  .nullish()

export const LabelFormatBody = z.object({ file_format: Text }).nullish()

/** The year 10000: databases know no later one. */
const END_OF_TIME_MS = 253_402_300_800_000
const isTime = (text: string): boolean => {
  const moment = Date.parse(text)
  return moment >= 0 && moment < END_OF_TIME_MS
}
const Time = z.string().max(40).refine(isTime, 'must be a time such as 2026-11-21T09:30:00Z')

/** Takes the fields of `schema`; clients may send others, which change nothing. */
export const lenientQuery = <Schema extends z.ZodObject>(schema: Schema) =>
  z.record(z.string(), z.unknown()).pipe(schema)

/** EasyPost's client for Node sends an empty text for a field that was not named. */
const orEmpty = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess(given => (given === '' ? undefined : given), schema.optional()).optional()

/** Newest first. `before_id`: older than this object; `after_id`: newer. */
export const ListFields = z.object({
  page_size: orEmpty(
    z.string().regex(/^(?:[1-9]\d?|100)$/, 'must be a whole number from 1 to 100'),
  ),
  before_id: z.string().max(60).optional(),
  after_id: z.string().max(60).optional(),
  start_datetime: orEmpty(Time),
  end_datetime: orEmpty(Time),
})
export type ListQuery = z.output<typeof ListFields>
export const ListQuery = lenientQuery(ListFields)

type GivenQuery = Record<string, unknown>

/** As EasyPost's clients write a list: repeated, with [] or with [0]; and one alone. */
const listIn = (given: GivenQuery, field: RegExp): unknown[] =>
  Object.entries(given).flatMap(([name, value]) =>
    field.test(name.replace(/\[\d*\]$/, '')) ? value : [],
  )

export const TrackersQuery = z
  .record(z.string(), z.unknown())
  .transform(given => ({ ...given, tracking_codes: listIn(given, /^tracking_codes?$/) }))
  .pipe(ListFields.extend({ tracking_codes: z.array(z.string().max(3_000)) }))

/** Older clients ask here for what newer ones ask for in the body. */
export const CreateAddressQuery = z
  .record(z.string(), z.unknown())
  .transform((given): GivenQuery => ({
    verify: listIn(given, /^verify$/),
    verify_strict: listIn(given, /^verify_strict$/),
  }))
  .pipe(z.object({ verify: Verify, verify_strict: Verify }))

/**
 * Texts for a path, query or body that does not fit the contract: the field, the rule, and what was
 * sent.
 */
import type * as z from 'zod'
import * as core from 'zod/v4/core'
import type { FieldCode, FieldFault } from '#contract/faults.ts'
import { shortenText } from '#contract/text.ts'
import { Refusal, firstWrongFields } from './refusal.ts'
import { findWideRecord } from './wide-records.ts'
import type { WideRecord } from './wide-records.ts'

type Issue = z.core.$ZodIssue
type RawIssue = z.core.$ZodRawIssue

/**
 * The validated value, or a Refusal 'request_invalid' that names the wrong fields. `part` names an
 * issue without a path.
 */
export function validateShape(
  schema: z.ZodType,
  data: unknown,
  part = 'body',
): { value: unknown } | { error: Refusal } {
  if (part === 'querystring') {
    const unknown = unknownQueryField(schema, data)
    if (unknown) return { error: unknown }
  }
  if (part === 'querystring' || part === 'params') return validateTexts(schema, data, part)
  const lists = findBoundedLists(schema, data)
  const excess = lists.find(({ items, maximum }) => items.length > maximum)
  if (excess) return { error: toRefusal([tooLongIssue(excess)], part) }
  const wideRecord = findWideRecord(schema, data)
  if (wideRecord) return { error: toRefusal([tooWideIssue(wideRecord)], part) }
  const long = lists.filter(({ items }) => items.length > FIRST_ITEMS)
  const result = parse(schema, long.reduce(truncateList, data))
  if (!result.success) return { error: toRefusal(result.error.issues, part, long.length > 0) }
  for (const list of long) {
    const checked = validateRest(list)
    if ('issues' in checked) return { error: toRefusal(checked.issues, part, checked.isCut) }
    ;(dataAt(result.data, list.path) as unknown[]).push(...checked.values)
  }
  return { value: result.data }
}

/** A query or path, whose numbers are texts. */
function validateTexts(
  schema: z.ZodType,
  data: unknown,
  part: string,
): { value: unknown } | { error: Refusal } {
  const given = data as Record<string, unknown>
  const result = parse(schema, withPlainNumbers(schema, given))
  if (result.success) return { value: result.data }
  const issues = result.error.issues.map(issue =>
    Number.isNaN(issue.input) ? { ...issue, input: given[String(issue.path[0])] } : issue,
  ) as Issue[]
  return { error: toRefusal(issues, part) }
}

const PLAIN_DECIMAL = /^-?\d{1,15}(?:\.\d{1,15})?$/

/** Texts such as '0x10' and '1e2', which JavaScript takes for numbers, as NaN. */
function withPlainNumbers(
  schema: z.core.$ZodType,
  given: Record<string, unknown>,
): Record<string, unknown> {
  const { shape = {} } = schema._zod.def as ZodDefinition
  const wrong = Object.keys(given).filter(
    name =>
      Object.hasOwn(shape, name)
      && readsNumber(shape[name]!)
      && !PLAIN_DECIMAL.test(String(given[name])),
  )
  return wrong.length === 0
    ? given
    : { ...given, ...Object.fromEntries(wrong.map(name => [name, Number.NaN])) }
}

function readsNumber(schema: z.core.$ZodType): boolean {
  const { type, coerce, innerType, in: input } = schema._zod.def as ZodDefinition
  if (type === 'number') return coerce === true
  const inner = innerType ?? input
  return inner !== undefined && readsNumber(inner)
}

/** Null for a schema that takes any fields. */
function unknownQueryField(schema: z.ZodType, data: unknown): Refusal | null {
  const { shape, catchall } = schema._zod.def as ZodDefinition
  if (!shape || catchall) return null
  const unknown = Object.keys((data ?? {}) as object).find(name => !Object.hasOwn(shape, name))
  if (unknown === undefined) return null
  const known = Object.keys(shape)
  const text =
    known.length === 0
      ? 'is not known; this call has no query fields'
      : `is not known; this call has ${joinWith('and', known)}`
  const name = shortenText(unknown)
  return new Refusal('query_field_unknown', `The query field ${name} ${text}`, {
    fields: { [name]: { code: 'query_field_unknown', text } },
  })
}

const parse = (schema: z.core.$ZodType, data: unknown) =>
  core.safeParse(schema, data, { error: ruleText, reportInput: true })

function toRefusal(issues: readonly Issue[], part: string, isCut = false): Refusal {
  const faults = new Map<string, FieldFault>()
  // The last rule of a field is the strictest: 'at most 100', not the limit of whole numbers.
  for (const issue of issues) {
    const name = issue.path.join('.') || part
    faults.set(name, { code: faultCode(issue), text: issueText(issue) })
  }
  const [field, { text }] = [...faults][0]!
  const { fields, more } = firstWrongFields([...faults], isCut)
  return new Refusal('request_invalid', `${field} ${text}${more}`, { fields })
}

function faultCode(issue: Issue): FieldCode {
  const { input } = issue
  if (input === undefined) return 'required'
  switch (issue.code) {
    case 'invalid_type':
      return issue.expected === 'number' && typeof input === 'string'
        ? 'not_a_number'
        : 'wrong_type'
    case 'invalid_union':
    case 'unrecognized_keys':
      return 'wrong_type'
    case 'invalid_value':
      return 'not_a_choice'
    case 'too_big':
      return boundCode(issue.origin, 'too_long', 'too_many', 'above_limit')
    case 'too_small':
      return input === ''
        ? 'required'
        : boundCode(issue.origin, 'too_short', 'too_few', 'below_limit')
    default:
      return 'malformed'
  }
}

const boundCode = (
  origin: string,
  ofText: FieldCode,
  ofList: FieldCode,
  ofNumber: FieldCode,
): FieldCode => (origin === 'string' ? ofText : origin === 'array' ? ofList : ofNumber)

function issueText(issue: Issue): string {
  if (issue.input === undefined) return 'is missing'
  const found = SECRET_FIELDS.test(String(issue.path.at(-1))) ? null : describeInput(issue)
  return found === null ? issue.message : `${issue.message}, not ${found}`
}

const SECRET_FIELDS = /password|token/i
const MAX_SHOWN_LENGTH = 40

function describeInput({ code, input }: Issue): string | null {
  const hasLength = (code === 'too_big' || code === 'too_small') && typeof input !== 'number'
  if (hasLength) return formatCount((input as string | unknown[]).length)
  if (Array.isArray(input)) return 'a list'
  // A rule of several fields is given the object around them.
  if (typeof input === 'object' && input !== null) return code === 'custom' ? null : 'an object'
  if (typeof input === 'string')
    return JSON.stringify(
      input.length > MAX_SHOWN_LENGTH ? `${input.slice(0, MAX_SHOWN_LENGTH)}…` : input,
    )
  return Number.isNaN(input) ? null : String(input)
}

const TYPE_NAMES: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
}
const FORMAT_NAMES: Record<string, string> = {
  datetime: 'a time such as 2026-11-21T09:30:00Z',
  date: 'a day such as 2026-11-21',
  email: 'an email address',
  url: 'a URL',
}
const formatCount = (value: number | bigint): string =>
  value.toLocaleString('en-US', { maximumFractionDigits: 10 })

/** For rules without a text in the contract. */
function ruleText(issue: RawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${TYPE_NAMES[issue.expected as string] ?? 'of another type'}`
    case 'invalid_value':
      return `must be ${joinWith('or', (issue.values as unknown[]).map(String))}`
    case 'invalid_format':
      return `must be ${FORMAT_NAMES[issue.format as string] ?? 'in another format'}`
    case 'invalid_union':
      return `must be ${joinWith('or', expectedTypes((issue.errors as Issue[][]).flat()))}`
    case 'too_big':
      return boundText(issue, issue.maximum as number, 'at most', 'less than')
    case 'too_small':
      return boundText(issue, issue.minimum as number, 'at least', 'more than')
    default:
      return 'is not valid'
  }
}

function boundText(issue: RawIssue, limit: number, reached: string, short: string): string {
  const least = `${issue.inclusive === false ? short : reached} ${formatCount(limit)}`
  if (issue.origin === 'string')
    return `must have ${least} ${limit === 1 ? 'character' : 'characters'}`
  return issue.origin === 'array'
    ? `must have ${least} ${limit === 1 ? 'entry' : 'entries'}`
    : `must be ${least}`
}

const expectedTypes = (issues: Issue[]): string[] =>
  issues
    .map(issue => (issue.code === 'invalid_type' ? TYPE_NAMES[issue.expected] : undefined))
    .filter(kind => kind !== undefined)

const joinWith = (link: 'or' | 'and', words: string[]): string => {
  const others = [...new Set(words)]
  const last = others.pop() ?? 'something else'
  return others.length === 0 ? last : `${others.join(', ')} ${link} ${last}`
}

/** A list in a body that has a length limit. `entry`: the schema of its items. */
type BoundedList = { path: string[]; items: unknown[]; maximum: number; entry: z.core.$ZodType }

/**
 * Lengths are checked before items, and the items of long lists only until enough are wrong. An
 * issue for each field of 50,000 rows took 1 GB and blocked the process for 5 s; a body of 64 MB
 * can hold thirty million items.
 */
function findBoundedLists(
  schema: z.core.$ZodType,
  data: unknown,
  path: string[] = [],
): BoundedList[] {
  const { def } = schema._zod as { def: ZodDefinition }
  if (def.innerType) return findBoundedLists(def.innerType, data, path)
  if (def.type === 'array' && Array.isArray(data)) {
    const maximum = def.checks
      ?.map(check => (check._zod.def as { maximum?: number }).maximum)
      .find(limit => limit !== undefined)
    return maximum === undefined ? [] : [{ path, items: data, maximum, entry: def.element! }]
  }
  if (def.type !== 'object' || typeof data !== 'object' || data === null) return []
  return Object.entries(def.shape!).flatMap(([name, part]) =>
    findBoundedLists(part, (data as Record<string, unknown>)[name], [...path, name]),
  )
}

const tooWideIssue = ({ path, entries, maximum }: WideRecord): Issue => ({
  code: 'custom',
  path,
  message: `must have at most ${formatCount(maximum)} entries`,
  input: entries,
})

type ZodDefinition = {
  type: string
  coerce?: boolean
  in?: z.core.$ZodType
  catchall?: z.core.$ZodType
  innerType?: z.core.$ZodType
  element?: z.core.$ZodType
  shape?: Record<string, z.core.$ZodType>
  checks?: z.core.$ZodCheck[]
}

/** Validated with the rest of the body; further items one by one. */
const FIRST_ITEMS = 100

function truncateList(data: unknown, { path, items }: BoundedList): unknown {
  const [name, ...rest] = path
  if (name === undefined) return items.slice(0, FIRST_ITEMS)
  const record = data as Record<string, unknown>
  return { ...record, [name]: truncateList(record[name], { path: rest, items } as BoundedList) }
}

const dataAt = (data: unknown, path: string[]): unknown =>
  path.reduce((inside, name) => (inside as Record<string, unknown>)[name], data)

const validateRest = ({ path, items, entry }: BoundedList) =>
  validateEntries(entry, items.slice(FIRST_ITEMS), path, FIRST_ITEMS)

/** The first item is entry `before` of the list at `path`, counted from 0. */
function validateEntries(
  entry: z.core.$ZodType,
  items: readonly unknown[],
  path: string[],
  before: number,
): { values: unknown[] } | { issues: Issue[]; isCut: boolean } {
  const values: unknown[] = []
  const issues: Issue[] = []
  for (let index = 0; index < items.length && issues.length <= FIRST_ITEMS; index++) {
    const result = parse(entry, items[index])
    if (result.success) values.push(result.data)
    else {
      issues.push(
        ...result.error.issues.map(issue => ({
          ...issue,
          path: [...path, before + index, ...issue.path],
        })),
      )
    }
  }
  return issues.length === 0 ? { values } : { issues, isCut: issues.length > FIRST_ITEMS }
}

/**
 * A page of the long list `name`, validated; `before` entries came on earlier pages. Throws Refusal
 * 'request_invalid' that names the wrong fields.
 */
export function parseEntries<Entry extends z.ZodType>(
  entry: Entry,
  page: readonly unknown[],
  name: string,
  before: number,
): z.output<Entry>[] {
  const checked = validateEntries(entry, page, [name], before)
  if ('issues' in checked) throw toRefusal(checked.issues, name, checked.isCut)
  return checked.values as z.output<Entry>[]
}

function tooLongIssue({ path, items, maximum }: BoundedList): Issue {
  const issue = {
    code: 'too_big',
    origin: 'array',
    maximum,
    inclusive: true,
    input: items,
    path,
  } as const
  return { ...issue, message: ruleText(issue) }
}

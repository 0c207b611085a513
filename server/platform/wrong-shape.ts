/** What a call is told whose path, query or body has not the shape of the contract: field, rule and what stood there, in words. */
import type * as z from 'zod'
import * as core from 'zod/v4/core'
import { Refusal, someFields } from './refusal.ts'

type Issue = z.core.$ZodIssue
type RawIssue = z.core.$ZodRawIssue

/** The checked value, or the refusal ('bad_request') that names every wrong field. `part`: what an issue without a path is about. */
export function checkShape(
  schema: z.ZodType,
  data: unknown,
  part = 'body',
): { value: unknown } | { error: Refusal } {
  const lists = listsIn(schema, data)
  const excess = lists.find(({ items, maximum }) => items.length > maximum)
  if (excess) return { error: refuse([tooLong(excess)], part) }
  const long = lists.filter(({ items }) => items.length > AT_ONCE)
  const result = parse(schema, long.reduce(cut, data))
  if (!result.success) return { error: refuse(result.error.issues, part, long.length > 0) }
  for (const list of long) {
    const checked = restOf(list)
    if ('issues' in checked) return { error: refuse(checked.issues, part, checked.isCut) }
    ;(at(result.data, list.path) as unknown[]).push(...checked.values)
  }
  return { value: result.data }
}

const parse = (schema: z.core.$ZodType, data: unknown) =>
  core.safeParse(schema, data, { error: rule, reportInput: true })

function refuse(issues: readonly Issue[], part: string, isCut = false): Refusal {
  const errors = new Map<string, string>()
  // Of several rules of one field the last is the narrowest: at most 100, not at most what a whole number can be.
  for (const issue of issues) errors.set(issue.path.join('.') || part, sentenceEnd(issue))
  const [field, text] = [...errors][0]!
  const { fields, more } = someFields([...errors], isCut)
  return new Refusal('bad_request', `${field} ${text}${more}`, fields)
}

/** 'must be a number, not "abc"'. */
function sentenceEnd(issue: Issue): string {
  if (issue.input === undefined) return 'is missing'
  const found = NOT_SHOWN.test(String(issue.path.at(-1))) ? null : shown(issue)
  return found === null ? issue.message : `${issue.message}, not ${found}`
}

const NOT_SHOWN = /password|token/i
const LONGEST_SHOWN = 40

function shown({ code, input }: Issue): string | null {
  const hasLength = (code === 'too_big' || code === 'too_small') && typeof input !== 'number'
  if (hasLength) return count((input as string | unknown[]).length)
  if (Array.isArray(input)) return 'a list'
  if (typeof input === 'object' && input !== null) return 'an object'
  if (typeof input === 'string')
    return JSON.stringify(
      input.length > LONGEST_SHOWN ? `${input.slice(0, LONGEST_SHOWN)}…` : input,
    )
  // What was no number in a query is forgotten by now.
  return Number.isNaN(input) ? null : String(input)
}

const KINDS: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
}
const FORMATS: Record<string, string> = {
  datetime: 'a moment such as 2026-11-21T09:30:00Z',
  date: 'a day such as 2026-11-21',
  email: 'an e-mail address',
  url: 'an address',
}
const count = (value: number | bigint): string =>
  value.toLocaleString('en-US', { maximumFractionDigits: 10 })

/** What the contract demands, where it does not say so in words of its own. */
function rule(issue: RawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${KINDS[issue.expected as string] ?? 'of another kind'}`
    case 'invalid_value':
      return `must be ${oneOf((issue.values as unknown[]).map(String))}`
    case 'invalid_format':
      return `must be ${FORMATS[issue.format as string] ?? 'written otherwise'}`
    case 'invalid_union':
      return `must be ${oneOf(kindsOf((issue.errors as Issue[][]).flat()))}`
    case 'too_big':
      return bound(issue, issue.maximum as number, 'at most', 'less than')
    case 'too_small':
      return bound(issue, issue.minimum as number, 'at least', 'more than')
    default:
      return 'is not valid'
  }
}

function bound(issue: RawIssue, limit: number, reached: string, short: string): string {
  const least = `${issue.inclusive === false ? short : reached} ${count(limit)}`
  if (issue.origin === 'string')
    return `must have ${least} ${limit === 1 ? 'character' : 'characters'}`
  return issue.origin === 'array'
    ? `must have ${least} ${limit === 1 ? 'entry' : 'entries'}`
    : `must be ${least}`
}

const kindsOf = (issues: Issue[]): string[] =>
  issues
    .map(issue => (issue.code === 'invalid_type' ? KINDS[issue.expected] : undefined))
    .filter(kind => kind !== undefined)

const oneOf = (words: string[]): string => {
  const others = [...new Set(words)]
  const last = others.pop() ?? 'something else'
  return others.length === 0 ? last : `${others.join(', ')} or ${last}`
}

/** A list in a body that has a limit. `entry`: what each of its items must be. */
type List = { path: string[]; items: unknown[]; maximum: number; entry: z.core.$ZodType }

/**
 * Lists are measured before their items are looked at, and long ones are looked at until enough is wrong: a fault for each field of
 * 50,000 shipments was 1 GB and held everybody up for five seconds, and thirty million items fit into a body of 64 MB.
 */
function listsIn(schema: z.core.$ZodType, data: unknown, path: string[] = []): List[] {
  const { def } = schema._zod as { def: Inside }
  if (def.innerType) return listsIn(def.innerType, data, path)
  if (def.type === 'array' && Array.isArray(data)) {
    const maximum = def.checks
      ?.map(check => (check._zod.def as { maximum?: number }).maximum)
      .find(limit => limit !== undefined)
    return maximum === undefined ? [] : [{ path, items: data, maximum, entry: def.element! }]
  }
  if (def.type !== 'object' || typeof data !== 'object' || data === null) return []
  return Object.entries(def.shape!).flatMap(([name, part]) =>
    listsIn(part, (data as Record<string, unknown>)[name], [...path, name]),
  )
}

type Inside = {
  type: string
  innerType?: z.core.$ZodType
  element?: z.core.$ZodType
  shape?: Record<string, z.core.$ZodType>
  checks?: z.core.$ZodCheck[]
}

/** So many items of a list are looked at with all else; those behind them one by one. */
const AT_ONCE = 100

/** The data with the first items of the list only. */
function cut(data: unknown, { path, items }: List): unknown {
  const [name, ...rest] = path
  if (name === undefined) return items.slice(0, AT_ONCE)
  const record = data as Record<string, unknown>
  return { ...record, [name]: cut(record[name], { path: rest, items } as List) }
}

const at = (data: unknown, path: string[]): unknown =>
  path.reduce((inside, name) => (inside as Record<string, unknown>)[name], data)

/** The other items of the list, or what is wrong with the first of them that are not as they should be. */
function restOf({
  path,
  items,
  entry,
}: List): { values: unknown[] } | { issues: Issue[]; isCut: boolean } {
  const values: unknown[] = []
  const issues: Issue[] = []
  for (let index = AT_ONCE; index < items.length && issues.length <= AT_ONCE; index++) {
    const result = parse(entry, items[index])
    if (result.success) values.push(result.data)
    else
      issues.push(
        ...result.error.issues.map(issue => ({ ...issue, path: [...path, index, ...issue.path] })),
      )
  }
  return issues.length === 0 ? { values } : { issues, isCut: issues.length > AT_ONCE }
}

function tooLong({ path, items, maximum }: List): Issue {
  const issue = {
    code: 'too_big',
    origin: 'array',
    maximum,
    inclusive: true,
    input: items,
    path,
  } as const
  return { ...issue, message: rule(issue) }
}

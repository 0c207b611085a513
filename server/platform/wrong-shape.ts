/** What a call is told whose path, query or body has not the shape of the contract: field, rule and what stood there, in words. */
import type * as z from 'zod'
import { Refusal, someFields } from './refusal.ts'

type Issue = z.core.$ZodIssue
type RawIssue = z.core.$ZodRawIssue

/** The checked value, or the refusal ('bad_request') that names every wrong field. `part`: what an issue without a path is about. */
export function checkShape(schema: z.ZodType, data: unknown, part = 'body'): { value: unknown } | { error: Refusal } {
  const long = longList(schema, data)
  if (long) return { error: refuse([long], part) }
  const result = schema.safeParse(data, { error: rule, reportInput: true })
  return result.success ? { value: result.data } : { error: refuse(result.error.issues, part) }
}

function refuse(issues: Issue[], part: string): Refusal {
  const errors = new Map<string, string>()
  // Of several rules of one field the last is the narrowest: at most 100, not at most what a whole number can be.
  for (const issue of issues) errors.set(issue.path.join('.') || part, sentenceEnd(issue))
  const [field, text] = [...errors][0]!
  const { fields, more } = someFields([...errors])
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
  if (typeof input === 'string') return JSON.stringify(input.length > LONGEST_SHOWN ? `${input.slice(0, LONGEST_SHOWN)}…` : input)
  // What was no number in a query is forgotten by now.
  return Number.isNaN(input) ? null : String(input)
}

const KINDS: Record<string, string> = {
  string: 'a text', number: 'a number', int: 'a whole number', boolean: 'true or false', array: 'a list', object: 'an object',
  record: 'an object', null: 'null',
}
const FORMATS: Record<string, string> = {
  datetime: 'a moment such as 2026-11-21T09:30:00Z', date: 'a day such as 2026-11-21', email: 'an e-mail address', url: 'an address',
}
const count = (value: number | bigint): string => value.toLocaleString('en-US', { maximumFractionDigits: 10 })

/** What the contract demands, where it does not say so in words of its own. */
function rule(issue: RawIssue): string {
  switch (issue.code) {
    case 'invalid_type': return `must be ${KINDS[issue.expected as string] ?? 'of another kind'}`
    case 'invalid_value': return `must be ${oneOf((issue.values as unknown[]).map(String))}`
    case 'invalid_format': return `must be ${FORMATS[issue.format as string] ?? 'written otherwise'}`
    case 'invalid_union': return `must be ${oneOf(kindsOf((issue.errors as Issue[][]).flat()))}`
    case 'too_big': return bound(issue, issue.maximum as number, 'at most', 'less than')
    case 'too_small': return bound(issue, issue.minimum as number, 'at least', 'more than')
    default: return 'is not valid'
  }
}

function bound(issue: RawIssue, limit: number, reached: string, short: string): string {
  const least = `${issue.inclusive === false ? short : reached} ${count(limit)}`
  if (issue.origin === 'string') return `must have ${least} ${limit === 1 ? 'character' : 'characters'}`
  return issue.origin === 'array' ? `must have ${least} ${limit === 1 ? 'entry' : 'entries'}` : `must be ${least}`
}

const kindsOf = (issues: Issue[]): string[] =>
  issues.map(issue => issue.code === 'invalid_type' ? KINDS[issue.expected] : undefined).filter(kind => kind !== undefined)

const oneOf = (words: string[]): string => {
  const others = [...new Set(words)]
  const last = others.pop() ?? 'something else'
  return others.length === 0 ? last : `${others.join(', ')} or ${last}`
}

/**
 * A list with more entries than it may have. Asked before the entries are looked at: a fault for each of the thirty million that
 * fit into a body of 64 MB would be more than the memory holds.
 */
function longList(schema: z.core.$ZodType, data: unknown, path: string[] = []): Issue | null {
  const { def } = schema._zod as { def: Inside }
  if (def.innerType) return longList(def.innerType, data, path)
  if (def.type === 'array' && Array.isArray(data)) {
    const { maximum } = schema._zod.bag as { maximum?: number }
    if (maximum === undefined || data.length <= maximum) return null
    const issue = { code: 'too_big', origin: 'array', maximum, inclusive: true, input: data, path } as const
    return { ...issue, message: rule(issue) }
  }
  if (def.type !== 'object' || typeof data !== 'object' || data === null) return null
  for (const [name, part] of Object.entries(def.shape!)) {
    const long = longList(part, (data as Record<string, unknown>)[name], [...path, name])
    if (long) return long
  }
  return null
}

type Inside = { type: string, innerType?: z.core.$ZodType, shape?: Record<string, z.core.$ZodType> }

import { z } from 'zod'
import { fromDollars } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import { serverAddresses } from './database/addresses.ts'
import { isGuessable } from './process/guessable-secrets.ts'
import { OperatorError } from './process/operator-error.ts'

/** All wrong variables in one message. */
export class ConfigError extends OperatorError {}

export const port = z.coerce
  .number({ error: 'must be a number' })
  .int('must be a whole number')
  .min(0, 'must be 0 to 65535')
  .max(65_535, 'must be 0 to 65535')

const NOT_READABLE =
  'cannot be read as an address; in a password write # as %23, / as %2F, ? as %3F and % as %25'

/** Only a database may have several servers. */
const addressesIn = (text: string): string[] =>
  /^postgres/i.test(text) ? serverAddresses(text) : [text]

export const url = (...protocols: string[]) =>
  z
    .string()
    .refine(text => protocols.some(protocol => text.toLowerCase().startsWith(`${protocol}:`)), {
      error: `must be an address that begins with ${protocols.map(protocol => `${protocol}://`).join(' or ')}`,
      abort: true,
    })
    .refine(text => addressesIn(text).every(one => URL.canParse(one)), {
      error: NOT_READABLE,
      abort: true,
    })

/** A # or % of a password that is not encoded changes the address. */
const accountUrl = (...protocols: string[]) =>
  url(...protocols).refine(
    text =>
      addressesIn(text).every(one => {
        const { username, password, hash } = new URL(one)
        return hash === '' && !/%(?![\da-f]{2})/i.test(username + password)
      }),
    { error: NOT_READABLE },
  )

/** Of a database; it may name several servers. */
export const databaseUrl = accountUrl('postgres', 'postgresql')

export const mailServerUrl = accountUrl('smtp', 'smtps').refine(
  text => new URL(text).hostname !== '',
  { error: 'must name a mail server, such as smtps://user:password@mail.example.com' },
)

/** Whether an address leads to this machine. */
export const isLoopback = (address: string): boolean =>
  /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i.test(new URL(address).hostname)

/** An address to which paths are appended: without a slash at the end. */
export const baseUrl = url('https', 'http').transform(text => text.replace(/\/+$/, ''))

/** Of this site: pages have fixed paths. */
export const siteUrl = baseUrl.refine(text => new URL(text).href === `${new URL(text).origin}/`, {
  error:
    'must be an address without a path, a question mark or a user, such as https://post.example.com',
})

export const integerBetween = (least: number, most: number) =>
  z.coerce
    .number({ error: 'must be a number' })
    .int('must be a whole number')
    .min(least, `must be at least ${least}`)
    .max(most, `must be at most ${most}`)

export const choice = <T extends string>(...values: T[]) =>
  z.enum(values as [T, ...T[]], {
    error: `must be ${values.slice(0, -1).join(', ')} or ${values.at(-1)}`,
  })

export const jsonText = z.string().transform((text, context) => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    context.issues.push({ code: 'custom', message: 'must be JSON', input: text })
    return z.NEVER
  }
})

export const digitsOnly = z.string().regex(/^\d{2,15}$/, 'must be the number alone, digits only')

export const dollarsOrNone = z.string().transform((text, context): Cents | null => {
  const amount = text === 'none' ? null : fromDollars(Number(text))
  if (text === 'none' || (amount !== null && amount >= 0)) return amount
  context.issues.push({
    code: 'custom',
    message: 'must be an amount in dollars, such as 1000, or none',
    input: text,
  })
  return z.NEVER
})

/** Words that a page shows. */
export const shortText = (max: number) => z.string().max(max, `must have at most ${max} characters`)

export const email = z.email({ error: 'must be an email address' })

export type Variables = Record<string, z.ZodType>
export type ValuesOf<V extends Variables> = { [Name in keyof V]: z.output<V[Name]> }

/** Variables that must be set when the variable `when` has the value `is`. */
export type Requirement = { when: string; is: string; variables: string[] }

/** Their values are never shown. */
export const SECRET_NAME =
  /PASSWORD|SECRET|TOKEN|KEY(?!_CALLS_PER_MINUTE)|DATABASE_(OWNER_|READ_)?URL|SMTP_URL/

/**
 * Values by name, and a sentence for each variable that is wrong or missing. An empty variable
 * counts as not set.
 */
export function readVariables(
  env: Record<string, string | undefined>,
  variables: Variables,
  requirements: Requirement[],
): { values: Record<string, unknown>; wrong: string[] } {
  const wrong: string[] = []
  const values: Record<string, unknown> = {}
  for (const [name, shape] of Object.entries(variables)) {
    const text = env[name]?.trim() || undefined
    const result = shape.safeParse(text)
    if (result.success) values[name] = result.data
    else
      wrong.push(
        `${name}${SECRET_NAME.test(name) ? '' : ` is '${text}'; it`} ${sentenceOf(result.error.issues[0]!)}.`,
      )
  }
  for (const { when, is, variables: needed } of requirements) {
    const missing = values[when] === is ? needed.filter(name => values[name] === undefined) : []
    if (missing.length > 0) wrong.push(`${when}=${is} also needs ${missing.join(', ')}.`)
  }
  return { values, wrong }
}

/** Of a part of a JSON text, zod's own words. */
const sentenceOf = ({ message, path }: z.core.$ZodIssue): string =>
  /^[A-Z]/.test(message)
    ? `is not right: ${[path.join('.'), message].filter(Boolean).join(': ')}`
    : message

export const guessableSecrets = (values: Record<string, unknown>): string[] =>
  Object.entries(values)
    .filter(
      ([name, value]) =>
        typeof value === 'string'
        && SECRET_NAME.test(name)
        && !name.endsWith('_KEY_ID')
        && isGuessable(value),
    )
    .map(
      ([name]) =>
        `${name} can be guessed; with real money it needs a secret of its own, such as \`openssl rand -base64 24\` makes.`,
    )

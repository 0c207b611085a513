import { serverAddresses } from '#server/platform/database/addresses.ts'

// Words that examples and manuals use as secrets, often followed by digits or signs.
const EXAMPLE_WORDS = [
  'your',
  'my',
  'the',
  'some',
  'default',
  'change',
  'changeme',
  'example',
  'sample',
  'test',
  'demo',
  'secret',
  'password',
  'passwd',
  'pass',
  'administrator',
  'admin',
  'root',
  'user',
  'guest',
  'evenpost',
  'postgres',
  'api',
  'key',
  'token',
  'webhook',
  'me',
  'this',
  'it',
  'here',
]
const PLACEHOLDER = new RegExp(`^(?:(?:${EXAMPLE_WORDS.join('|')})[-_ ]*)+[\\d\\W_]*$`, 'i')
const MIN_LENGTH = 12
/** Of a password inside a URL: often for a database that is not reachable from outside. */
const MIN_LENGTH_IN_URL = 8
const MIN_DISTINCT_CHARACTERS = 4

/**
 * Too short, a few repeated characters, or words of an example. In a URL ('postgres://…') the
 * password counts; without one it is fine.
 */
export function isGuessable(given: string): boolean {
  const value = serverAddresses(given)[0]!
  const isAddress = /^[a-z]+:\/\//i.test(value) && URL.canParse(value)
  const secret = isAddress ? new URL(value).password : value
  if (isAddress && secret === '') return false
  return (
    secret.length < (isAddress ? MIN_LENGTH_IN_URL : MIN_LENGTH)
    || new Set(secret).size < MIN_DISTINCT_CHARACTERS
    || PLACEHOLDER.test(secret)
  )
}

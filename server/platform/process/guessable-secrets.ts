// What examples and manuals put where a secret belongs, with figures and signs behind it.
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
/** Of a password inside of an address, which is often for a database that no stranger reaches. */
const MIN_LENGTH_IN_URL = 8
const MIN_DISTINCT_CHARACTERS = 4

/**
 * Whether a secret is none: too short, a few signs over and over, or the words of an example. Of an address ('postgres://…') its
 * password counts; an address without one keeps no secret.
 */
export function isGuessable(value: string): boolean {
  const isAddress = /^[a-z]+:\/\//i.test(value) && URL.canParse(value)
  const secret = isAddress ? new URL(value).password : value
  if (isAddress && secret === '') return false
  return (
    secret.length < (isAddress ? MIN_LENGTH_IN_URL : MIN_LENGTH)
    || new Set(secret).size < MIN_DISTINCT_CHARACTERS
    || PLACEHOLDER.test(secret)
  )
}

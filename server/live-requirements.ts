/** What the configuration must have before real money and real postage move. */
import { DEFAULT_ADMIN_EMAIL } from './accounts/config.ts'
import { guessableSecrets, isLoopback } from './platform/variables.ts'

type LiveValues = {
  CARRIER?: string
  PAYMENTS?: string
  ROLE?: string
  HOST?: string
  PUBLIC_URL?: string | undefined
  ADMIN_EMAIL?: string
  SMTP_URL?: string | undefined
  EASYPOST_URL?: string
  USPS_URL?: string
  SHIPENGINE_URL?: string
  BTCPAY_URL?: string | undefined
}

const LOOPBACK_HOSTS = new Set(['127.0.0.1', 'localhost', '::1'])

/**
 * A sentence for each variable that live mode refuses. Carriers and payment services on this machine need no
 * encryption. A carrier and pages that are both on this machine are a rehearsal with a stub: PUBLIC_URL may be missing,
 * emails may be files and the administrator may have the default address.
 */
export function liveProblems(values: LiveValues): string[] {
  const { CARRIER: carrier = 'sandbox', PAYMENTS: payments } = values
  const carrierName = `${carrier.toUpperCase()}_URL` as 'EASYPOST_URL'
  const carrierUrl = values[carrierName]
  const wrong = guessableSecrets(values)
  const requireEncryption = (name: string, address: string | undefined, why: string): void => {
    if (address?.startsWith('http:') && !isLoopback(address))
      wrong.push(`${name} is '${address}'; with real money it must begin with https://: ${why}.`)
  }
  const isLocal =
    LOOPBACK_HOSTS.has(values.HOST ?? '127.0.0.1')
    && (values.PUBLIC_URL === undefined || isLoopback(values.PUBLIC_URL))
  const isRehearsal = isLocal && carrierUrl !== undefined && isLoopback(carrierUrl)
  if (!isRehearsal) wrong.push(...publicUrlProblems(values))
  requireEncryption(carrierName, carrierUrl, 'the key that buys postage passes through it')
  if (payments === 'btcpay')
    requireEncryption('BTCPAY_URL', values.BTCPAY_URL, 'the key to your store passes through it')
  // No user signs in at a worker, and it sends none of the emails that it writes.
  if (!isRehearsal && values.ROLE !== 'worker') wrong.push(...accessProblems(values))
  return wrong
}

/**
 * Asked of workers too, whose emails and result files have links. Asked also when HOST is an address of this machine: a reverse
 * proxy may pass requests from elsewhere on to it.
 */
function publicUrlProblems({ PUBLIC_URL: address }: LiveValues): string[] {
  if (address === undefined)
    return [
      'PUBLIC_URL is missing; with real money it must be the address people use: https://post.example.com.',
    ]
  return address.startsWith('http:')
    ? [
        `PUBLIC_URL is '${address}'; with real money it must begin with https://: passwords and sign-ins pass through it.`,
      ]
    : []
}

function accessProblems({ SMTP_URL: smtp, ADMIN_EMAIL: admin }: LiveValues): string[] {
  const wrong: string[] = []
  if (smtp === undefined)
    wrong.push(
      'SMTP_URL is missing; with real money it must name a mail server, such as smtps://user:password@mail.example.com: '
        + 'without it reset links and notices stay in files.',
    )
  else if (/[?&]ignoreTLS=(?!false|0\b)/i.test(smtp) && !isLoopback(smtp))
    wrong.push('SMTP_URL turns TLS off; with real money leave out ignoreTLS.')
  if (admin === DEFAULT_ADMIN_EMAIL)
    wrong.push(
      `ADMIN_EMAIL is '${admin}'; with real money it must be an address of your own: everyone knows this one.`,
    )
  return wrong
}

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
 * A sentence for each variable that live mode refuses. Addresses of this machine need no
 * encryption. A carrier and pages that are both on this machine are a rehearsal with a stub: nothing
 * real can be bought, so emails may be files and the administrator may have the default address.
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
  requireEncryption('PUBLIC_URL', values.PUBLIC_URL, 'passwords and sign-ins pass through it')
  const listensHere = LOOPBACK_HOSTS.has(values.HOST ?? '127.0.0.1')
  if (!listensHere && values.PUBLIC_URL?.startsWith('http:') && isLoopback(values.PUBLIC_URL))
    wrong.push(
      `PUBLIC_URL is '${values.PUBLIC_URL}' and HOST=${values.HOST} lets other machines in; with real money `
        + 'PUBLIC_URL must begin with https://, or HOST must be 127.0.0.1.',
    )
  requireEncryption(carrierName, carrierUrl, 'the key that buys postage passes through it')
  if (payments === 'btcpay')
    requireEncryption('BTCPAY_URL', values.BTCPAY_URL, 'the key to your store passes through it')
  const isLocal = listensHere && (values.PUBLIC_URL === undefined || isLoopback(values.PUBLIC_URL))
  if (values.PUBLIC_URL === undefined && !isLocal)
    wrong.push(
      `PUBLIC_URL is missing; with real money and HOST=${values.HOST} it must be the address people use: https://post.example.com.`,
    )
  const isRehearsal = isLocal && carrierUrl !== undefined && isLoopback(carrierUrl)
  // No user signs in at a worker, and it sends no email.
  if (!isRehearsal && values.ROLE !== 'worker') wrong.push(...accessProblems(values))
  return wrong
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

/** The doctor's check that what is sealed in the database can be read with the key of this installation. */
import type pg from 'pg'
import { countText } from '#contract/format.ts'
import { readKeyFile, secretKeyFrom, SECRET_KEY_FILE } from '#server/platform/process/secret-key.ts'
import type { SecretKey } from '#server/platform/process/secret-key.ts'
import type { Finding } from './data-checks.ts'

type SealedSecret = { owner: string; sealed: Buffer }

/** Name, purpose and rows of each kind of sealed secret. */
const KINDS = [
  {
    name: 'authenticator app',
    purpose: 'totp',
    query: `select 'user:' || user_id as owner, sealed_secret as sealed from second_factor where kind = 'totp'`,
    remedy: 'their users sign in with a recovery code and set up two-step sign-in again',
  },
  {
    name: 'webhook',
    purpose: 'webhook',
    query: `select 'endpoint:' || id as owner, secret as sealed from webhook_endpoint where deleted_at is null`,
    remedy: 'their users change the secrets',
  },
] as const

/** `secretKey`: SECRET_KEY, if it is set. */
export async function checkSecretKey(
  pool: pg.Pool,
  { dataDir, secretKey }: { dataDir: string; secretKey: string | undefined },
): Promise<Finding[]> {
  const secret = secretKey ?? (await readKeyFile(dataDir))
  const key = secret === null ? null : secretKeyFrom(secret)
  const findings: Finding[] = []
  for (const { name, purpose, query, remedy } of KINDS) {
    const { rows } = await pool.query<SealedSecret>(query)
    const unreadable = rows.filter(row => !isReadable(key, purpose, row)).length
    if (unreadable === 0) continue
    const what = `the ${unreadable === 1 ? 'secret' : 'secrets'} of ${countText(unreadable, name)}`
    findings.push({
      isOk: false,
      text:
        `Secret key: ${key ? 'with this key' : 'there is no key, so'} ${what} cannot be read. `
        + `Put ${SECRET_KEY_FILE} back from a backup or set the former SECRET_KEY; otherwise ${remedy}.`,
    })
  }
  return findings.length > 0 ? findings : [{ isOk: true, text: 'Secret key: it reads all secrets' }]
}

function isReadable(
  key: SecretKey | null,
  purpose: string,
  { owner, sealed }: SealedSecret,
): boolean {
  try {
    return key !== null && key.unseal(purpose, owner, sealed).length >= 0
  } catch {
    return false
  }
}

import type pg from 'pg'
import { countText } from '#contract/format.ts'
import { passkeySite } from '#server/accounts/passkeys.ts'
import type { Finding } from './data-checks.ts'

type LostPasskeys = { host: string; passkeys: number; users: number; alone: number }

/** Passkeys that browsers do not offer here, since they belong to another host name. */
export async function checkPasskeys(pool: pg.Pool, publicUrl: string): Promise<Finding[]> {
  const { host } = passkeySite(publicUrl)
  const { rows } = await pool.query<LostPasskeys>(
    `select host, count(*)::int as passkeys, count(distinct user_id)::int as users,
            count(distinct user_id) filter (where not exists (
              select 1 from second_factor o where o.user_id = f.user_id and (o.kind = 'totp' or o.host = $1)))::int as alone
       from second_factor f where kind = 'passkey' and host <> $1 group by host order by host`,
    [host],
  )
  if (rows.length === 0) return [{ isOk: true, text: `Passkeys: all belong to ${host}` }]
  return rows.map(lost => ({
    isOk: false,
    text:
      `Passkeys: ${countText(lost.passkeys, 'passkey')} of ${countText(lost.users, 'user')} `
      + `belong to ${lost.host} and cannot be used, since PUBLIC_URL has the host ${host}. `
      + (lost.alone > 0
        ? `${countText(lost.alone, 'user')} without another factor can sign in with a recovery code or after npm run unlock. `
        : '')
      + 'Set PUBLIC_URL back, or let them register new passkeys.',
  }))
}

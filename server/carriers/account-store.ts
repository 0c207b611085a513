import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Tx } from '#server/platform/database/database.ts'
import { replaceSetting } from '#server/platform/database/settings.ts'

/** Where it is kept which account labels belong to of which none was written down. */
const FIRST_ACCOUNT_KEY = 'first-carrier-account'
/** Where it is kept with which account the house was started last. */
const CURRENT_ACCOUNT_KEY = 'carrier-account'

/** At each start. The first one since accounts are written down is remembered: labels without an account belong to it. */
export async function storeCarrierAccount(tx: Tx, account: string): Promise<void> {
  await sql`insert into app_setting (key, value) values (${FIRST_ACCOUNT_KEY}, ${account}) on conflict do nothing`.execute(
    tx,
  )
  await replaceSetting(tx, CURRENT_ACCOUNT_KEY, account)
}

/** The names of an account, the present one first: a key that was renewed has given it another. */
export type CarrierAccountNames = [present: string, ...earlier: string[]]

const firstAccount = sql`(select value from app_setting where key = ${sql.lit(FIRST_ACCOUNT_KEY)})`

/** A condition on a label that is called `o`: it was asked of this account, which alone knows what became of it. */
export const belongsToAccounts = (accounts: CarrierAccountNames): RawBuilder<boolean> =>
  sql<boolean>`coalesce(o.carrier_account, ${firstAccount}, ${accounts[0]}) = any(${accounts}::text[])`

/** The account with which the house was started last; null before that was written down. */
export const currentAccount = sql<
  string | null
>`(select value from app_setting where key = ${sql.lit(CURRENT_ACCOUNT_KEY)})`

/** The account of a label that is called `o`; null where none was ever written down. */
export const labelAccount = sql<string | null>`coalesce(o.carrier_account, ${firstAccount})`

/** A condition on a note that is called `n`: it was written in this account. */
export const notedByAccounts = (accounts: CarrierAccountNames): RawBuilder<boolean> =>
  sql<boolean>`coalesce(nullif(n.account, ''), ${firstAccount}, ${accounts[0]}) = any(${accounts}::text[])`

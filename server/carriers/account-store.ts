import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Tx } from '#server/platform/database.ts'
import { exchangeWord } from '#server/platform/instance.ts'

/** Where it is kept which account labels belong to of which none was written down. */
const FIRST = 'first-carrier-account'
/** Where it is kept with which account the house was started last. */
const PRESENT = 'carrier-account'

/** At each start. The first one since accounts are written down is remembered: labels without an account belong to it. */
export async function keepAccount(tx: Tx, account: string): Promise<void> {
  await sql`insert into house_setting (key, value) values (${FIRST}, ${account}) on conflict do nothing`.execute(
    tx,
  )
  await exchangeWord(tx, PRESENT, account)
}

/** The names of an account, the present one first: a key that was renewed has given it another. */
export type Accounts = [present: string, ...earlier: string[]]

const first = sql`(select value from house_setting where key = ${sql.lit(FIRST)})`

/** A condition on a label that is called `o`: it was asked of this account, which alone knows what became of it. */
export const ofAccounts = (accounts: Accounts): RawBuilder<boolean> =>
  sql<boolean>`coalesce(o.carrier_account, ${first}, ${accounts[0]}) = any(${accounts}::text[])`

/** The account with which the house was started last; null before that was written down. */
export const presentAccount = sql<
  string | null
>`(select value from house_setting where key = ${sql.lit(PRESENT)})`

/** The account of a label that is called `o`; null where none was ever written down. */
export const accountOf = sql<string | null>`coalesce(o.carrier_account, ${first})`

/** A condition on a note that is called `n`: it was written in this account. */
export const notedIn = (accounts: Accounts): RawBuilder<boolean> =>
  sql<boolean>`coalesce(nullif(n.account, ''), ${first}, ${accounts[0]}) = any(${accounts}::text[])`

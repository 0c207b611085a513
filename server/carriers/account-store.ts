import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Tx } from '#server/platform/database/database.ts'
import { replaceSetting } from '#server/platform/database/settings.ts'

/** Setting key: the account of labels that have none recorded. */
const FIRST_ACCOUNT_KEY = 'first-carrier-account'
/** Setting key: the account of the last start. */
const CURRENT_ACCOUNT_KEY = 'carrier-account'

/**
 * Called at each start. Labels without a recorded account belong to the first account stored here.
 */
export async function storeCarrierAccount(tx: Tx, account: string): Promise<void> {
  await sql`insert into app_setting (key, value) values (${FIRST_ACCOUNT_KEY}, ${account}) on conflict do nothing`.execute(
    tx,
  )
  await replaceSetting(tx, CURRENT_ACCOUNT_KEY, account)
}

/** An account's names, the current one first. A renewed key gives an account a new name. */
export type CarrierAccountNames = [present: string, ...earlier: string[]]

const firstAccount = sql`(select value from app_setting where key = ${sql.lit(FIRST_ACCOUNT_KEY)})`

/**
 * SQL condition on a label `o`: it was requested from this account, the only one that knows its
 * result.
 */
export const belongsToAccounts = (accounts: CarrierAccountNames): RawBuilder<boolean> =>
  sql<boolean>`coalesce(o.carrier_account, ${firstAccount}, ${accounts[0]}) = any(${accounts}::text[])`

/** The account of the last start; null before one was stored. */
export const currentAccount = sql<
  string | null
>`(select value from app_setting where key = ${sql.lit(CURRENT_ACCOUNT_KEY)})`

/** The account of a label `o`; null if none was stored. */
export const labelAccount = sql<string | null>`coalesce(o.carrier_account, ${firstAccount})`

/** SQL condition on a note `n`: it was written for this account. */
export const notedByAccounts = (accounts: CarrierAccountNames): RawBuilder<boolean> =>
  sql<boolean>`coalesce(nullif(n.account, ''), ${firstAccount}, ${accounts[0]}) = any(${accounts}::text[])`

import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { arrayOf } from '#server/platform/database/array-of.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { replaceSetting } from '#server/platform/database/settings.ts'

/** Setting key: the account of labels that have none recorded. */
const FIRST_ACCOUNT_KEY = 'first-carrier-account'
/** Setting key: the account of the last start, the first if there were several. */
const CURRENT_ACCOUNT_KEY = 'carrier-account'
/** Setting key: all accounts of the last start, with commas. */
const CONNECTED_ACCOUNTS_KEY = 'carrier-accounts'
/** Setting keys, one for each test account; they stay for its labels. */
const TEST_ACCOUNT_PREFIX = 'test-carrier-account:'

/**
 * Called at each start. Labels without a recorded account belong to the first account stored here.
 */
export async function storeCarrierAccounts(
  tx: Tx,
  accounts: readonly [first: string, ...more: string[]],
): Promise<void> {
  const [account] = accounts
  await sql`insert into app_setting (key, value) values (${FIRST_ACCOUNT_KEY}, ${account}) on conflict do nothing`.execute(
    tx,
  )
  await replaceSetting(tx, CURRENT_ACCOUNT_KEY, account)
  await replaceSetting(tx, CONNECTED_ACCOUNTS_KEY, accounts.join(','))
}

/** Called at each start: labels of these accounts may share a tracking number. */
export async function storeTestAccounts(tx: Tx, names: readonly string[]): Promise<void> {
  if (names.length === 0) return
  await sql`insert into app_setting (key, value) select ${TEST_ACCOUNT_PREFIX} || name, '' from unnest(${names}::text[]) name
    on conflict do nothing`.execute(tx)
}

/** The accounts of the last start; empty before one was stored. */
export async function accountsOfLastStart(db: Db): Promise<string[]> {
  const { rows } = await sql<{ value: string }>`
    select value from app_setting where key = any(${[CONNECTED_ACCOUNTS_KEY, CURRENT_ACCOUNT_KEY]}::text[])
      order by key = ${CONNECTED_ACCOUNTS_KEY} desc limit 1`.execute(db)
  return rows[0]?.value.split(',') ?? []
}

/** An account's names, the current one first. A renewed key gives an account a new name. */
export type CarrierAccountNames = [present: string, ...earlier: string[]]

const firstAccount = sql`(select value from app_setting where key = ${sql.lit(FIRST_ACCOUNT_KEY)})`

/**
 * SQL condition on a label `o`: it was requested from this account, the only one that knows its
 * result.
 */
export const belongsToAccounts = (accounts: CarrierAccountNames): RawBuilder<boolean> =>
  sql<boolean>`coalesce(o.carrier_account, ${firstAccount}, ${accounts[0]}) = any(${arrayOf('text', accounts)})`

/** SQL condition on a label `o`: it is not of one of these accounts, which claim their own labels. */
export const isNotOf = (others: readonly string[]): RawBuilder<boolean> =>
  others.length === 0
    ? sql<boolean>`true`
    : sql<boolean>`coalesce(o.carrier_account, ${firstAccount}, '') <> all(${others}::text[])`

/** The account of the last start; null before one was stored. */
export const currentAccount = sql<
  string | null
>`(select value from app_setting where key = ${sql.lit(CURRENT_ACCOUNT_KEY)})`

/** The account of a label `o`; null if none was stored. */
export const labelAccount = sql<string | null>`coalesce(o.carrier_account, ${firstAccount})`

/** SQL condition on a note `n`: it was written for this account. */
export const notedByAccounts = (accounts: CarrierAccountNames): RawBuilder<boolean> =>
  sql<boolean>`coalesce(nullif(n.account, ''), ${firstAccount}, ${accounts[0]}) = any(${arrayOf('text', accounts)})`

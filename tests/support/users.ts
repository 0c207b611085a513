import { openWallet } from '#server/ledger/service.ts'
import type { Database } from '#server/platform/database/database.ts'

/** A user with an empty wallet, for tests that need an owner and no sign-in. Names are unique in a database. */
export function newUser(database: Database, name: string): Promise<number> {
  return database.tx(async tx => {
    const email = `${name}@example.test`
    const { id } = await tx
      .insertInto('app_user')
      .values({ name, email, email_key: email, password_hash: '-', referral_code: name })
      .returning('id')
      .executeTakeFirstOrThrow()
    await openWallet(tx, id)
    return id
  })
}

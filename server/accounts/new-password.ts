import type { Tx } from '#server/platform/database/database.ts'
import { insertOwnAuditEntry } from './audit-store.ts'
import { cancelOpenChange } from './email-store.ts'
import { deleteKnownNetworks } from './known-network-store.ts'
import { invalidateResets } from './password-reset-store.ts'
import { updateUser } from './store.ts'
import type { UserUpdate } from './store.ts'

/**
 * Stores the hash of a new password. What someone with the old one may have begun ends: reset links,
 * known networks, and a change of the address, whose link would open the account to them.
 */
export async function replacePassword(
  tx: Tx,
  userId: number,
  passwordHash: string,
  others: Pick<UserUpdate, 'name' | 'emailVerifiedAt' | 'invitedAt'> = {},
): Promise<void> {
  await updateUser(tx, userId, { ...others, passwordHash })
  await invalidateResets(tx, userId)
  await deleteKnownNetworks(tx, userId)
  if (await cancelOpenChange(tx, userId))
    await insertOwnAuditEntry(tx, userId, 'email-change-canceled')
}

import { hasForeignTotp } from './accounts/second-factor-check.ts'
import type { Db } from './platform/database/database.ts'
import type { SecretKey } from './platform/process/secret-key.ts'
import { hasForeignSecret } from './webhooks/service.ts'

/** Of each kind: enough to notice another key. The doctor looks at all. */
const LOOKED_AT = 100

/** What to tell the operator of an installation whose key is not the one that secrets in its database were sealed with. */
export async function secretKeyWarning(db: Db, key: SecretKey): Promise<string | null> {
  const isForeign =
    (await hasForeignSecret(db, key, LOOKED_AT)) || (await hasForeignTotp(db, key, LOOKED_AT))
  return isForeign
    ? 'The secret key is not the one that authenticator apps or webhooks in this database were set up with, so these do not work: '
        + 'stop, set the former SECRET_KEY or put the former DATA_DIR/secret.key back, and start again; npm run doctor counts them.'
    : null
}

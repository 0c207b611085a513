import type { LookupFunction } from 'node:net'
import type { AccountsContext } from '#server/accounts/service.ts'
import type { MessageFormats } from './formats.ts'

/** `lookup`: refuses names with addresses that are not allowed. */
export type WebhooksContext = Pick<
  AccountsContext,
  'config' | 'database' | 'log' | 'meter' | 'limits' | 'mailer' | 'secretKey'
> & { formats: MessageFormats; lookup: LookupFunction }

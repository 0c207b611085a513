import type { AccountsContext } from '#server/accounts/service.ts'

export type ParcelPageContext = Pick<
  AccountsContext,
  'config' | 'database' | 'log' | 'limits' | 'mailer' | 'secretKey'
>

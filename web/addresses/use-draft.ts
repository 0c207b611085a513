import type { AddressForm } from '#contract/addresses.ts'
import { useDraft } from '#web/client/use-draft.ts'
import type { Bind as BindTo } from '#web/client/use-draft.ts'
import { addressErrors } from './sender.ts'
import type { AddressField } from './sender.ts'
import { texts } from './texts.ts'

export type Bind = BindTo<AddressField>

/** An address while it is typed. */
export const useAddressDraft = (begin: () => AddressForm) =>
  useDraft<AddressField>({ begin, check: addressErrors, otherwise: texts.failed.submit })

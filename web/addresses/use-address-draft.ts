import type { AddressForm } from '#contract/addresses.ts'
import { useFormDraft } from '#web/client/use-form-draft.ts'
import type { BindField as BindTo } from '#web/client/use-form-draft.ts'
import { addressErrors } from './sender.ts'
import type { AddressField } from './sender.ts'
import { texts } from './texts.ts'

export type BindAddressField = BindTo<AddressField>

export const useAddressDraft = (begin: () => AddressForm) =>
  useFormDraft<AddressField>({
    initialValues: begin,
    check: addressErrors,
    fallbackMessage: texts.failed.submit,
  })

export type AddressDraft = ReturnType<typeof useAddressDraft>

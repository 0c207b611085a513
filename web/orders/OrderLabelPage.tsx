import { useQuery } from '@tanstack/react-query'
import { availableServices, DEFAULT_MAX_WEIGHT } from '#contract/catalogue.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { send } from '#web/client/send.ts'
import { useUser } from '#web/client/session.ts'
import { Form } from '#web/ui/Form.tsx'
import { AddressSection } from './label/AddressSection.tsx'
import { LabelCreatedDialog } from './label/LabelCreatedDialog.tsx'
import { OrderSummary } from './label/OrderSummary.tsx'
import { PackageSection } from './label/PackageSection.tsx'
import { PrefillNotice } from './label/PrefillNotice.tsx'
import { SavedSender } from './label/SavedSender.tsx'
import { useLabelOrder } from './label/use-label-order.ts'
import type { FieldBinder } from './label/use-label-order.ts'
import { useLabelPrice } from './label/use-label-price.ts'
import { usePrefill } from './label/use-prefill.ts'
import styles from './label/Label.module.css'

/** One label: priced while the user types, bought with one press. */
export function OrderLabelPage() {
  const user = useUser()
  const { form, errors, notice, bought, dialogOpen, busy, change, submit, close } = useLabelOrder()
  const { data, isError, refetch } = useQuery({
    queryKey: queryKeys.services(user._id),
    queryFn: () => send(availableServices, { params: { userId: user._id } }),
  })
  const service = data?.find(({ uid }) => uid === form.ServiceName)
  const maxWeight = service?.maxWeight ?? DEFAULT_MAX_WEIGHT
  const prefill = usePrefill(change)
  const price = useLabelPrice(form.ServiceName, form.PackageWeight)
  const bind: FieldBinder = name => ({
    name,
    value: form[name],
    error: errors[name],
    onText: text => change({ [name]: text }),
  })
  return (
    <>
      <Form onSubmit={() => submit(maxWeight)} className={styles.form} autoComplete="on">
        <div className={styles.sections}>
          {prefill && <PrefillNotice prefill={prefill} />}
          <PackageSection
            bind={bind}
            form={form}
            change={change}
            maxWeight={maxWeight}
            services={{ list: data, failed: isError && !data, retry: () => void refetch() }}
          />
          <AddressSection side="from" bind={bind}>
            <SavedSender form={form} onChoose={change} />
          </AddressSection>
          <AddressSection side="to" bind={bind} />
        </div>
        <OrderSummary
          form={form}
          service={service?.name ?? ''}
          price={price}
          balance={user.balance}
          notice={notice}
          busy={busy}
        />
      </Form>
      <LabelCreatedDialog bought={bought} opened={dialogOpen} onClose={close} />
    </>
  )
}

import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { DEFAULT_MAX_WEIGHT } from '#contract/catalogue.ts'
import type { RowField } from '#contract/rows.ts'
import { parcelPageSettingsQuery, servicesQuery } from '#web/client/queries.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { useUser } from '#web/client/session.ts'
import { useFirstLoad } from '#web/client/use-first-load.ts'
import { Button } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { Form } from '#web/ui/Form.tsx'
import { AddressSection } from './label/AddressSection.tsx'
import { servicesTo } from './label/arrival.ts'
import type { LabelForm } from './label/form.ts'
import { lowestOffer, orderedOptions } from './label/label-options.ts'
import { LabelCreatedDialog } from './label/LabelCreatedDialog.tsx'
import { OrderSummary } from './label/OrderSummary.tsx'
import { PackageSection } from './label/PackageSection.tsx'
import { PrefillNotice } from './label/PrefillNotice.tsx'
import { ReceiverEmail } from './label/ReceiverEmail.tsx'
import { SavedSender, useDefaultSender } from './label/SavedSender.tsx'
import { texts } from './label/texts.ts'
import { useLabelOrder } from './label/use-label-order.ts'
import type { FieldBinder } from './label/use-label-order.ts'
import { useServicePrices } from './label/use-label-price.ts'
import { useLastService } from './label/use-last-service.ts'
import { usePrefill } from './label/use-prefill.ts'
import styles from './label/Label.module.css'

/** One label: priced while the user types, bought with one press. */
export function OrderLabelPage() {
  const user = useUser()
  const order = useLabelOrder()
  const { form, errors, change } = order
  // A default sender folds its section.
  const waiting = useFirstLoad(queryKeys.addresses(user._id))
  const [foldsSender, setFoldsSender] = useState(false)
  const page = useRef<HTMLDivElement>(null)
  const { data, isError, refetch } = useQuery(servicesQuery(user._id))
  const { data: parcelPages } = useQuery(parcelPageSettingsQuery(user._id))
  // Until it is known, a form that was sent before a reload keeps its address.
  const takesEmail = parcelPages?.mailsReceivers ?? form.ToEmail !== ''
  const services = data && servicesTo(form.ToStateProvince, data)
  const service = services?.find(({ uid }) => uid === form.ServiceName)
  const maxWeight = service?.maxWeight ?? DEFAULT_MAX_WEIGHT
  const prefill = usePrefill(form, change)
  useLastService(data, form, prefill === null ? change : null)
  useDefaultSender(form, sender => {
    if (prefill) return
    change(sender)
    setFoldsSender(true)
  })
  const { chosen: price, byService } = useServicePrices(data, form)
  const bind: FieldBinder = name => ({
    name,
    value: form[name],
    error: errors[name],
    onText: text => change({ [name]: text }),
  })
  const submit = () => {
    const options = orderedOptions(form.ticked, byService.get(form.ServiceName))
    const sent = takesEmail ? form : { ...form, ToEmail: '' }
    return order.submit(sent, maxWeight, options, price.dollars)
  }
  const faults = Object.keys(errors)
  const isFolded = foldsSender && !faults.some(name => name.startsWith('From'))
  const focusField = (name: RowField) =>
    page.current?.querySelector<HTMLElement>(`input[name="${name}"]`)?.focus()
  const startNext = () => {
    order.startNext()
    focusField('ToRecipientName')
  }
  const unfoldSender = () => {
    setFoldsSender(false)
    // The button is gone then.
    requestAnimationFrame(() => focusField('FromSenderName'))
  }
  return (
    <div ref={page}>
      <Form onSubmit={submit} className={styles.form} autoComplete="on">
        <div className={styles.sections}>
          {prefill && <PrefillNotice prefill={prefill} />}
          <PackageSection
            bind={bind}
            form={form}
            change={change}
            maxWeight={maxWeight}
            services={{ list: services, failed: isError && !data, retry: () => void refetch() }}
            prices={byService}
          />
          <div className={styles.addresses} data-waiting={waiting || undefined}>
            {isFolded ? (
              <FoldedSender form={form} onChange={unfoldSender} />
            ) : (
              <AddressSection side="from" bind={bind} change={change}>
                <SavedSender form={form} onChoose={change} />
              </AddressSection>
            )}
            <AddressSection
              side="to"
              bind={bind}
              change={change}
              end={
                takesEmail && (
                  <ReceiverEmail
                    value={form.ToEmail}
                    error={errors.ToEmail}
                    onText={ToEmail => change({ ToEmail })}
                  />
                )
              }
            />
          </div>
        </div>
        <OrderSummary
          form={form}
          service={service}
          price={price}
          lowest={lowestOffer([...byService.values()], form.ticked)}
          balance={user.balance}
          notice={order.notice}
          busy={order.busy}
          errorCount={faults.length}
          lastLabel={order.lastLabel}
          onNextLabel={startNext}
        />
      </Form>
      <LabelCreatedDialog bought={order.bought} opened={order.dialogOpen} onClose={order.close} />
    </div>
  )
}

/** The default sender on one line, with a button that opens its fields. */
function FoldedSender({ form, onChange }: { form: LabelForm; onChange: () => void }) {
  const place = `${form.FromCity}, ${form.FromStateProvince} ${form.FromZipPostal}`
  return (
    <Card
      title={texts.from}
      action={
        <Button size="small" onClick={onChange}>
          {texts.changeSender}
        </Button>
      }
    >
      <p>
        {[form.FromSenderName, form.FromCompany, form.FromStreet1, form.FromStreet2, place]
          .filter(part => part !== '')
          .join(', ')}
      </p>
    </Card>
  )
}

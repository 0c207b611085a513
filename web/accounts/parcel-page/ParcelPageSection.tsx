/** What the public pages of the user's parcels show, and whether receivers get emails. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { parcelPageSettings, saveParcelPageSettings } from '#contract/parcel-pages.ts'
import type { ParcelPageSettings } from '#contract/parcel-pages.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { fieldErrorsOf, messageOf, send } from '#web/client/send.ts'
import { useUser } from '#web/client/session.ts'
import { Button } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { ErrorLine, LoadErrorNotice } from '#web/ui/ErrorLine.tsx'
import { TextField } from '#web/ui/Field.tsx'
import { Form } from '#web/ui/Form.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { Switch } from '#web/ui/Switch.tsx'
import { toastSuccess } from '#web/ui/toasts.ts'
import { texts } from './texts.ts'
import styles from '#web/accounts/Account.module.css'

export function ParcelPageSection() {
  const { _id: userId } = useUser()
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.parcelPageSettings(userId),
    queryFn: ({ signal }) => send(parcelPageSettings, { params: { userId } }, { signal }),
  })
  return (
    <Card title={texts.title}>
      {data ? (
        <SettingsForm key={userId} saved={data} />
      ) : error ? (
        <LoadErrorNotice onRetry={() => void refetch()}>{texts.loadFailed}</LoadErrorNotice>
      ) : (
        <Skeleton width="80%" />
      )}
    </Card>
  )
}

type TextKey = 'sellerName' | 'contact'

function SettingsForm({ saved }: { saved: ParcelPageSettings }) {
  const { _id: userId } = useUser()
  const queryClient = useQueryClient()
  const [values, setValues] = useState(saved)
  const [errors, setErrors] = useState<Partial<Record<string, string>>>({})
  const [refused, setRefused] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)

  const field = (key: TextKey, label: string, description: string) => ({
    label,
    description,
    name: key,
    value: values[key],
    error: errors[key],
    autoComplete: 'off',
    onChange: (event: { currentTarget: { value: string } }) => {
      setValues({ ...values, [key]: event.currentTarget.value })
      setErrors({ ...errors, [key]: undefined })
    },
  })

  const submit = async () => {
    setRefused(null)
    setBusy(true)
    try {
      await send(saveParcelPageSettings, { params: { userId }, body: values })
      toastSuccess(texts.saved)
      await queryClient.invalidateQueries({ queryKey: queryKeys.parcelPageSettings(userId) })
    } catch (reason) {
      const told = fieldErrorsOf(reason)
      setErrors(told)
      if (Object.keys(told).length === 0) setRefused(messageOf(reason, texts.failed))
    } finally {
      setBusy(false)
    }
  }

  return (
    <Form onSubmit={submit} className={styles.form}>
      <p className={styles.lead}>{texts.lead}</p>
      <div className={styles.fields}>
        <TextField {...field('sellerName', texts.sellerName, texts.sellerNameHint)} />
        <TextField {...field('contact', texts.contact, texts.contactHint)} />
      </div>
      <div>
        <Switch
          label={texts.mails}
          checked={values.mailsReceivers}
          onChange={mailsReceivers => setValues({ ...values, mailsReceivers })}
        />
        <p className={styles.hint}>{texts.mailsHint}</p>
      </div>
      <ErrorLine>{refused}</ErrorLine>
      <div className={styles.buttons}>
        <Button kind="ink" size="large" type="submit" busy={busy}>
          {texts.save}
        </Button>
      </div>
    </Form>
  )
}

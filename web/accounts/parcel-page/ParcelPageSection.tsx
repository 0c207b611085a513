/** What the public pages of the user's parcels show, and whether receivers get emails. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { saveParcelPageSettings } from '#contract/parcel-pages.ts'
import type { ParcelPageSettings } from '#contract/parcel-pages.ts'
import { rowField, SettingsCard, SettingsList, SettingsRow } from '#web/accounts/Settings.tsx'
import { addressesQuery, parcelPageSettingsQuery } from '#web/client/queries.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { send } from '#web/client/send.ts'
import { useUser } from '#web/client/session.ts'
import { useAction } from '#web/client/use-action.ts'
import { Button } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { ConfirmDiscard } from '#web/ui/ConfirmDiscard.tsx'
import { ErrorLine, LoadErrorNotice } from '#web/ui/ErrorLine.tsx'
import { TextField } from '#web/ui/Field.tsx'
import { Form } from '#web/ui/Form.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { Switch } from '#web/ui/Switch.tsx'
import { toastSuccess } from '#web/ui/toasts.ts'
import { useUnsavedChangesGuard } from '#web/ui/use-unsaved-changes-guard.ts'
import { useIsPhone } from '#web/ui/use-viewport.ts'
import { texts } from './texts.ts'
import { TrackingPreview } from './TrackingPreview.tsx'
import account from '#web/accounts/Account.module.css'
import styles from './ParcelPage.module.css'

export function ParcelPageSection() {
  const { _id: userId } = useUser()
  const { data, error, refetch } = useQuery(parcelPageSettingsQuery(userId))
  return (
    <SettingsList name={texts.name} title={texts.title} text={texts.intro}>
      {data ? (
        <SettingsForm key={userId} saved={data} />
      ) : (
        <Card>
          {error ? (
            <LoadErrorNotice onRetry={() => void refetch()}>{texts.loadFailed}</LoadErrorNotice>
          ) : (
            <Skeleton width="80%" />
          )}
        </Card>
      )}
    </SettingsList>
  )
}

/** The sender that labels have at first: of the default address, else of the oldest one. */
function useUsualSender(): string {
  const { _id: userId } = useUser()
  const { data } = useQuery(addressesQuery(userId))
  const saved = data?.savedAddress
  const usual = saved?.find(({ isDefault }) => isDefault) ?? saved?.[0]
  return usual?.company || usual?.name || texts.sellerNone
}

type TextKey = 'sellerName' | 'contact'
const FIELDS = { sellerName: true, contact: true }
type Draft = Partial<ParcelPageSettings>

/** What of a draft differs from these settings. */
const differing = (draft: Draft, settings: Draft): Draft =>
  Object.fromEntries(
    (Object.keys(draft) as (keyof Draft)[])
      .filter(key => draft[key] !== settings[key])
      .map(key => [key, draft[key]]),
  )

const idOf = (key: TextKey): string => `tracking-${key}`

function SettingsForm({ saved }: { saved: ParcelPageSettings }) {
  const { _id: userId } = useUser()
  const queryClient = useQueryClient()
  const usualSender = useUsualSender()
  const phone = useIsPhone()
  // Only what was entered here: the other settings may change meanwhile in another tab.
  const [draft, setDraft] = useState<Draft>({})
  const { busy, errors, refused, clearError, run } = useAction(texts.failed, FIELDS)
  const entered = differing(draft, saved)
  const isChanged = Object.keys(entered).length > 0
  // During a save, a value equal to the old one stays: it must be sent again.
  if (!busy && Object.keys(entered).length < Object.keys(draft).length) setDraft(entered)
  const values = { ...saved, ...draft }
  const guard = useUnsavedChangesGuard(isChanged && !busy)

  const row = (key: TextKey, title: string, text: string, placeholder: string) => (
    <SettingsRow title={title} text={text} fieldId={idOf(key)}>
      <TextField
        {...rowField(idOf(key), text)}
        name={key}
        placeholder={placeholder}
        value={values[key]}
        error={errors[key]}
        autoComplete="off"
        onChange={({ currentTarget: { value } }) => {
          setDraft(now => ({ ...now, [key]: value }))
          clearError(key)
        }}
      />
    </SettingsRow>
  )

  const save = async () => {
    if (!isChanged) return
    await send(saveParcelPageSettings, { params: { userId }, body: values })
    toastSuccess(texts.saved)
    await queryClient.invalidateQueries({ queryKey: queryKeys.parcelPageSettings(userId) })
    // Shown as the server keeps it, without spaces around it; what was entered meanwhile stays.
    setDraft(now => differing(now, values))
  }

  const preview = (
    <TrackingPreview
      seller={values.sellerName.trim() || usualSender}
      contact={values.contact.trim()}
      mailsReceivers={values.mailsReceivers}
    />
  )
  return (
    <div className={styles.columns}>
      <ConfirmDiscard guard={guard} subject={texts.unsaved} />
      {phone && preview}
      <Form onSubmit={() => run(save)}>
        <SettingsCard>
          {row('sellerName', texts.sellerName, texts.sellerNameHint, usualSender)}
          {row('contact', texts.contact, texts.contactHint, texts.contactExample)}
          <SettingsRow title={texts.mailsTitle} text={texts.mailsHint}>
            <Switch
              label={texts.mails}
              checked={values.mailsReceivers}
              onChange={mailsReceivers => setDraft(now => ({ ...now, mailsReceivers }))}
            />
          </SettingsRow>
          <div className={styles.save}>
            <ErrorLine>{refused}</ErrorLine>
            <div className={account.buttons}>
              <Button
                kind="ink"
                type="submit"
                busy={busy}
                disabledReason={isChanged || busy ? null : texts.unchanged}
              >
                {texts.save}
              </Button>
            </div>
          </div>
        </SettingsCard>
      </Form>
      {!phone && preview}
    </div>
  )
}

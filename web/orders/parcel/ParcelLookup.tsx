import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { usePublicSettings } from '#web/client/public-settings.ts'
import { CARRIER_TRACKING_URL } from '#web/orders/ParcelLink.tsx'
import { Button } from '#web/ui/Button.tsx'
import { TextField } from '#web/ui/Field.tsx'
import { Form } from '#web/ui/Form.tsx'
import { parcelLookup } from './parcel-lookup.ts'
import { texts } from './texts.ts'
import styles from './Parcel.module.css'

const t = texts.lookup

/** Labels are samples whose numbers no carrier knows. False while the settings load. */
export const useSampleNumbers = (): boolean => usePublicSettings().data?.sandbox.carrier ?? false

/** A link opens its page, a number the page of the carrier. */
export function ParcelLookup() {
  const { token: current } = useParams()
  const settings = usePublicSettings()
  const hasSamples = useSampleNumbers()
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const [error, setError] = useState<string | null>(null)

  const find = async () => {
    // They say where numbers lead to.
    const known = settings.data ?? (await settings.refetch()).data
    const samples = known?.sandbox.carrier ? t.samples : null
    const found = parcelLookup(typed)
    if (!found) setError(typed.trim() === '' ? (samples ?? t).empty : (samples ?? t).unread)
    else if (found.kind === 'number') {
      if (samples) setError(samples.number)
      else location.assign(CARRIER_TRACKING_URL + encodeURIComponent(found.number))
    } else if (found.token === current) setError(t.same)
    else await navigate(`/track/${found.token}`)
  }
  return (
    <Form onSubmit={find} className={styles.lookup} aria-label={t.name}>
      <TextField
        label={hasSamples ? t.samples.label : t.label}
        description={hasSamples ? undefined : t.hint}
        placeholder={hasSamples ? t.samples.example(location.origin) : t.example}
        error={error}
        value={typed}
        autoComplete="off"
        spellCheck={false}
        onChange={event => {
          setTyped(event.currentTarget.value)
          setError(null)
        }}
      />
      <Button type="submit" kind="ink" size="large">
        {t.submit}
      </Button>
    </Form>
  )
}

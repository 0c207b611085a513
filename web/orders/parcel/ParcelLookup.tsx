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

/** Opens the page of a link, and of a number the one of the carrier. No carrier knows numbers of the sandbox. */
export function ParcelLookup() {
  const { token: current } = useParams()
  const isSandbox = usePublicSettings().data?.sandbox.carrier ?? true
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const [error, setError] = useState<string | null>(null)

  const find = () => {
    const found = parcelLookup(typed)
    if (!found) setError(typed.trim() === '' ? t.empty : t.unread)
    else if (found.kind === 'number') {
      if (isSandbox) setError(t.sample)
      else location.assign(CARRIER_TRACKING_URL + encodeURIComponent(found.number))
    } else if (found.token === current) setError(t.same)
    else void navigate(`/track/${found.token}`)
  }
  return (
    <Form onSubmit={find} className={styles.lookup} aria-label={t.name}>
      <TextField
        label={t.label}
        description={isSandbox ? undefined : t.hint}
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

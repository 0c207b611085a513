/** Where the receiver gets emails about the parcel, of sellers who have switched them on. */
import { TextField } from '#web/ui/Field.tsx'
import { texts } from './texts.ts'
import styles from './Label.module.css'

type ReceiverEmailProps = {
  value: string
  error: string | undefined
  onText: (text: string) => void
}

export const ReceiverEmail = ({ value, error, onText }: ReceiverEmailProps) => (
  <TextField
    label={texts.email}
    name="ToEmail"
    description={error ? undefined : texts.emailHint}
    inputWrapperOrder={['label', 'input', 'description', 'error']}
    error={error}
    value={value}
    inputMode="email"
    autoComplete="off"
    className={styles.whole}
    onChange={event => onText(event.currentTarget.value)}
  />
)

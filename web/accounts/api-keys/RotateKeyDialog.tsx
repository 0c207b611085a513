import { useState } from 'react'
import { rotateKey } from '#contract/api-keys.ts'
import type { ApiKey } from '#contract/api-keys.ts'
import { send } from '#web/client/send.ts'
import { useUser } from '#web/client/session.ts'
import { useAction } from '#web/client/use-action.ts'
import { NativeSelectField } from '#web/ui/Field.tsx'
import { FormDialog } from '#web/ui/FormDialog.tsx'
import { texts } from './texts.ts'
import styles from './ApiKeys.module.css'

const t = texts.rotate
const USUAL_GRACE = '24'

type RotateKeyDialogProps = {
  apiKey: ApiKey
  onMade: (key: string) => Promise<void>
  onClose: () => void
}

export function RotateKeyDialog({ apiKey, onMade, onClose }: RotateKeyDialogProps) {
  const { _id: userId } = useUser()
  const [grace, setGrace] = useState(USUAL_GRACE)
  const { busy, refused, run } = useAction(texts.failed)
  const rotate = async () => {
    const params = { userId, keyId: apiKey._id }
    const { key } = await send(rotateKey, { params, body: { graceHours: Number(grace) } })
    await onMade(key)
  }

  return (
    <FormDialog
      title={t.title(apiKey.name)}
      size="small"
      refused={refused}
      submitText={t.submit}
      busy={busy}
      onSubmit={() => run(rotate)}
      onClose={onClose}
    >
      <p className={styles.explain}>{t.text}</p>
      <NativeSelectField
        label={t.grace}
        error={null}
        name="grace"
        data-autofocus
        data={t.graces}
        value={grace}
        onChange={event => setGrace(event.currentTarget.value)}
      />
    </FormDialog>
  )
}

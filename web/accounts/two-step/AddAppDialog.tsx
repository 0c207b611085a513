import { lazy, Suspense, useState } from 'react'
import type { ResponseData } from '#contract/endpoint.ts'
import { confirmTotp } from '#contract/second-factor.ts'
import type { beginTotp } from '#contract/second-factor.ts'
import { fieldErrorsOf, messageOf, send } from '#web/client/send.ts'
import { useUser } from '#web/client/session.ts'
import { importWithRetry } from '#web/shell/load-page.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { CopyField } from '#web/ui/CopyText.tsx'
import { FormDialog } from '#web/ui/FormDialog.tsx'
import { useIsPhone } from '#web/ui/use-viewport.ts'
import { groupedKey } from './code.ts'
import { CodeField, codeError } from './CodeField.tsx'
import { FactorNameField } from './FactorNameField.tsx'
import { texts } from './texts.ts'
import styles from './TwoStep.module.css'

const t = texts.app

const QrCode = lazy(async () => ({
  default: (await importWithRetry(() => import('./QrCode.tsx'))).QrCode,
}))

type AddAppDialogProps = {
  /** The answer of `beginTotp`. */
  setUp: ResponseData<typeof beginTotp>
  /** `recoveryCodes`: of the first factor. */
  onAdded: (name: string, recoveryCodes: string[] | null) => void
  onClose: () => void
}

export function AddAppDialog({ setUp: { secret, uri }, onAdded, onClose }: AddAppDialogProps) {
  const { _id: userId } = useUser()
  const phone = useIsPhone()
  const [code, setCode] = useState('')
  const [name, setName] = useState<string>(texts.kinds.totp)
  const [errors, setErrors] = useState<{ code?: string; name?: string }>({})
  const [refused, setRefused] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)

  const submit = async () => {
    const wrong = {
      name: name.trim() ? undefined : texts.required(t.name),
      code: codeError(code),
    }
    setErrors(wrong)
    setRefused(null)
    if (wrong.name || wrong.code) return
    setBusy(true)
    try {
      const { factor, recoveryCodes } = await send(confirmTotp, {
        params: { userId },
        body: { code, name: name.trim() },
      })
      onAdded(factor.name, recoveryCodes)
    } catch (reason) {
      const told = fieldErrorsOf(reason)
      setErrors(told)
      if (!told.code && !told.name) setRefused(messageOf(reason, texts.failed))
      setBusy(false)
    }
  }

  return (
    <FormDialog
      title={t.title}
      refused={refused}
      submitText={t.confirm}
      busy={busy}
      onSubmit={submit}
      onClose={onClose}
    >
      <p className={styles.explain}>{t.scan}</p>
      <Suspense fallback={<div className={styles.qr} />}>
        <QrCode text={uri} name={t.qr} />
      </Suspense>
      {phone && <ButtonLink href={uri}>{t.open}</ButtonLink>}
      <p className={styles.explain}>{t.keyHint}</p>
      <CopyField label={t.key} value={groupedKey(secret)} wraps />
      <CodeField
        value={code}
        error={errors.code}
        // On a small screen, the focus would scroll the QR code away and open the keyboard over it.
        isFirst={!phone}
        onCode={digits => {
          setCode(digits)
          setErrors({ ...errors, code: undefined })
        }}
      />
      <FactorNameField
        label={t.name}
        error={errors.name}
        value={name}
        onChange={typed => {
          setName(typed)
          setErrors({ ...errors, name: undefined })
        }}
      />
    </FormDialog>
  )
}

import { lazy, Suspense, useState } from 'react'
import type { ResponseData } from '#contract/endpoint.ts'
import { confirmTotp } from '#contract/second-factor.ts'
import type { beginTotp } from '#contract/second-factor.ts'
import { send } from '#web/client/send.ts'
import { useUser } from '#web/client/session.ts'
import { useAction } from '#web/client/use-action.ts'
import { importWithRetry } from '#web/shell/load-page.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { CopyField } from '#web/ui/CopyText.tsx'
import { FormDialog } from '#web/ui/FormDialog.tsx'
import { useIsPhone } from '#web/ui/use-viewport.ts'
import { groupedKey, newAppName } from './code.ts'
import { CodeField, codeError } from './CodeField.tsx'
import { texts } from './texts.ts'
import { useFactors } from './use-factors.ts'
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
  const { factors } = useFactors()
  const { busy, errors, refused, clearError, run } = useAction(texts.failed, { code: true })
  const confirm = async () => {
    const { factor, recoveryCodes } = await send(confirmTotp, {
      params: { userId },
      body: { code, name: newAppName(factors?.factors ?? []) },
    })
    onAdded(factor.name, recoveryCodes)
  }

  return (
    <FormDialog
      title={t.title}
      refused={refused}
      submitText={t.confirm}
      busy={busy}
      onSubmit={() => run(confirm, { code: codeError(code) })}
      onClose={onClose}
    >
      <ol className={styles.acts}>
        <li>
          {phone && <ButtonLink href={uri}>{t.open}</ButtonLink>}
          <p className={styles.explain}>{phone ? t.scanElsewhere : t.scan}</p>
          <div className={styles.scan}>
            <Suspense fallback={<div className={styles.qr} />}>
              <QrCode text={uri} name={t.qr} />
            </Suspense>
            <div className={styles.byHand}>
              <p className={styles.explain}>{t.keyHint}</p>
              <CopyField label={t.key} value={groupedKey(secret)} wraps />
            </div>
          </div>
        </li>
        <li>
          <CodeField
            value={code}
            error={errors.code}
            // On a small screen, the focus would scroll the link away and open the keyboard over it.
            isFirst={!phone}
            onCode={digits => {
              setCode(digits)
              clearError('code')
            }}
          />
        </li>
      </ol>
    </FormDialog>
  )
}

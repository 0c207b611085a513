import { IconDownload, IconPrinter } from '@tabler/icons-react'
import { useState } from 'react'
import { PRODUCT } from '#contract/product.ts'
import { saveTextFile } from '#web/client/save-file.ts'
import { useUser } from '#web/client/session.ts'
import { Button } from '#web/ui/Button.tsx'
import { CopyButton } from '#web/ui/CopyText.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { CheckField } from '#web/ui/Field.tsx'
import { texts } from './texts.ts'
import styles from './TwoStep.module.css'

const t = texts.codes

/** Shows new recovery codes, once. It closes when the user says that they are saved. */
export function RecoveryCodesDialog({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const { email } = useUser()
  const [saved, setSaved] = useState(false)
  const unsaved = saved ? null : t.saveFirst
  const asText = `${t.fileHead(PRODUCT, email)}\n${codes.join('\n')}\n`
  return (
    <Dialog
      opened
      onClose={onDone}
      title={t.title}
      closeButton={false}
      closeDisabledReason={unsaved}
      actions={
        <Button kind="ink" size="large" disabledReason={unsaved} onClick={onDone}>
          {t.done}
        </Button>
      }
    >
      <p className={styles.explain}>{t.text(PRODUCT)}</p>
      <div className={styles.sheet}>
        <p className={styles.sheetHead}>{t.fileHead(PRODUCT, email)}</p>
        <ul className={styles.codes} aria-label={t.list}>
          {codes.map(code => (
            <li key={code}>{code}</li>
          ))}
        </ul>
      </div>
      <div className={styles.adders}>
        <CopyButton value={codes.join('\n')} name={t.copyName}>
          {t.copy}
        </CopyButton>
        <Button
          icon={<IconDownload aria-hidden="true" />}
          onClick={() => saveTextFile(t.fileName(PRODUCT), asText, 'text/plain;charset=utf-8')}
        >
          {t.download}
        </Button>
        <Button icon={<IconPrinter aria-hidden="true" />} onClick={() => window.print()}>
          {t.print}
        </Button>
      </div>
      <CheckField
        label={t.saved}
        data-autofocus
        checked={saved}
        onChange={event => setSaved(event.currentTarget.checked)}
      />
    </Dialog>
  )
}

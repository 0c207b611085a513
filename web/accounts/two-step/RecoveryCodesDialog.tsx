import { IconDownload, IconPrinter } from '@tabler/icons-react'
import { PRODUCT } from '#contract/product.ts'
import { ShownOnceDialog } from '#web/accounts/ShownOnceDialog.tsx'
import { saveTextFile } from '#web/client/save-file.ts'
import { useUser } from '#web/client/session.ts'
import { Button } from '#web/ui/Button.tsx'
import { CopyButton } from '#web/ui/CopyText.tsx'
import { texts } from './texts.ts'
import styles from './TwoStep.module.css'

const t = texts.codes

export function RecoveryCodesDialog({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const { email } = useUser()
  const asText = `${t.fileHead(PRODUCT, email)}\n${codes.join('\n')}\n`
  return (
    <ShownOnceDialog texts={t} lead={t.text(PRODUCT)} onDone={onDone}>
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
    </ShownOnceDialog>
  )
}

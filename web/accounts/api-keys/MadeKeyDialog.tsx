import { currentKey } from '#contract/api-keys.ts'
import { ShownOnceDialog } from '#web/accounts/ShownOnceDialog.tsx'
import { CopyField } from '#web/ui/CopyText.tsx'
import { texts } from './texts.ts'

const t = texts.made

/** Shows a new key, and a command that tries it. */
export function MadeKeyDialog({ value, onDone }: { value: string; onDone: () => void }) {
  const command = `curl -H "Authorization: Bearer ${value}" ${location.origin}${currentKey.path}`
  return (
    <ShownOnceDialog texts={t} lead={t.text} onDone={onDone}>
      <CopyField label={t.key} value={value} />
      <CopyField label={t.tryIt} value={command} />
    </ShownOnceDialog>
  )
}

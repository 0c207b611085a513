import { messageOf } from '#web/client/send.ts'
import { Button } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/ErrorLine.tsx'
import { texts } from './texts.ts'

/** The server's own words, else the specified ones (specification, 8). */
export function LoadErrorNotice({
  reason,
  otherwise,
  again,
}: {
  reason: unknown
  otherwise: string
  again: () => void
}) {
  return (
    <Notice
      tone="red"
      action={
        <Button size="small" onClick={again}>
          {texts.tryAgain}
        </Button>
      }
    >
      {messageOf(reason, otherwise)}
    </Notice>
  )
}

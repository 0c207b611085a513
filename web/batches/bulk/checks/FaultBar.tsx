/** The errors of the table: how many, the way from one to the next, and their causes with remedies. */
import { IconChevronLeft, IconChevronRight, IconDownload } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { SavedAddress } from '#contract/addresses.ts'
import { texts } from '#web/batches/bulk/texts.ts'
import { Button } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/ErrorLine.tsx'
import { CauseChip, CauseChips } from './CauseChips.tsx'
import type { FaultCause } from './fault-causes.ts'
import faults from './FaultBar.module.css'

const t = texts.faults

type FaultBarProps = {
  invalidCount: number
  /** Those that are gone through, and the place of the current one, from 0; -1 for none. */
  count: number
  place: number
  onBack: () => void
  onNext: () => void
  /** What can be done with all faulty rows, where it is not beside the causes. */
  tools?: ReactNode
}

/** The sentence about all invalid rows, with the way through them. Renders nothing without any. */
export function FaultBar(props: FaultBarProps) {
  const { invalidCount, count, place, onBack, onNext, tools } = props
  if (invalidCount === 0) return null
  const steps = (
    <span className={faults.steps}>
      {/* Its room is kept: a line more would move the rows below between the two clicks of a double click. */}
      <span className={faults.place} data-unknown={place < 0 || undefined}>
        {t.place(place < 0 ? count : place + 1, count)}
      </span>
      <Button
        size="small"
        icon={<IconChevronLeft />}
        aria-label={t.backName}
        title={t.backName}
        onClick={onBack}
      >
        <span className={faults.word}>{t.back}</span>
      </Button>
      <Button
        size="small"
        icon={<IconChevronRight />}
        aria-label={t.nextName}
        title={t.nextName}
        onClick={onNext}
      >
        <span className={faults.word}>{t.next}</span>
      </Button>
      {tools}
    </span>
  )
  return (
    <div className={faults.bar}>
      <Notice tone="yellow" action={steps}>
        {texts.uploadWarning(invalidCount)}
      </Notice>
    </div>
  )
}

type FaultChipsProps = {
  causes: readonly FaultCause[]
  /** `key` of the cause that the table shows alone. */
  shown: string | undefined
  onShow: (key: string | undefined) => void
  sender: SavedAddress | undefined
  onRemedy: (cause: FaultCause) => void
  /** What can be done with all faulty rows, where the bar has no room for it. */
  before?: ReactNode
  after?: ReactNode
}

export function FaultChips(props: FaultChipsProps) {
  const { causes, shown, onShow, sender, onRemedy, before, after } = props
  if (causes.length === 0) return null
  return (
    <CauseChips name={t.name} tone="red" before={before} after={after}>
      {causes.map(cause => {
        const isShown = shown === cause.key
        const text = texts.causes.chip(cause.rows, cause.text)
        const remedy = remedyText(cause, sender)
        return (
          <CauseChip
            key={cause.key}
            text={text}
            isShown={isShown}
            onShow={() => onShow(isShown ? undefined : cause.key)}
          >
            {remedy !== null && (
              <Button
                size="small"
                aria-label={`${remedy}: ${text}`}
                onClick={() => onRemedy(cause)}
              >
                {remedy}
              </Button>
            )}
          </CauseChip>
        )
      })}
    </CauseChips>
  )
}

type OnlyFaultsProps = { isOn: boolean; onChange: (isOn: boolean) => void }

export const OnlyFaults = ({ isOn, onChange }: OnlyFaultsProps) => (
  <Button
    size="small"
    aria-pressed={isOn}
    kind={isOn ? 'ink' : 'outline'}
    onClick={() => onChange(!isOn)}
  >
    {t.only}
  </Button>
)

export const DownloadFaults = ({ onDownload }: { onDownload: () => void }) => (
  <Button
    size="small"
    icon={<IconDownload />}
    aria-label={t.download}
    title={t.download}
    onClick={onDownload}
  >
    <span className={faults.download}>{t.downloadShort}</span>
  </Button>
)

function remedyText({ remedy }: FaultCause, sender: SavedAddress | undefined): string | null {
  switch (remedy?.kind) {
    case 'measures':
      return texts.causes.enterOnce
    case 'zips':
      return texts.causes.addZeros
    case 'sender':
      return sender ? texts.causes.useSender(sender.address_id) : null
    default:
      return null
  }
}

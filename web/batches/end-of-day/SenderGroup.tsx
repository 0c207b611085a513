import { useRef, useState } from 'react'
import { Link } from 'react-router'
import { townText } from '#contract/format.ts'
import { MAX_DESCRIBED_LABELS } from '#contract/scan-forms.ts'
import type { ScanFormCandidates, WaitingLabel } from '#contract/scan-forms.ts'
import { TrackingNumber } from '#web/orders/OrderCells.tsx'
import { SmallScanForm } from '#web/shell/EmptyPictures.tsx'
import { Button } from '#web/ui/Button.tsx'
import { SelectionCheckbox } from '#web/ui/Selection.tsx'
import { texts as uiTexts } from '#web/ui/texts.ts'
import { chosenOf, formsOf, groupKey, noneOf, senderName, senderPlace } from './end-of-day.ts'
import type { LeftOut } from './end-of-day.ts'
import { texts } from './texts.ts'
import styles from './EndOfDay.module.css'

/** Makes forms of these labels; whether it did. */
export type MakeForms = (key: string, ids: string[]) => Promise<boolean>

type SenderGroupProps = {
  group: ScanFormCandidates
  maxLabels: number
  /** Key of the group whose form is being made. */
  making: string | null
  onMake: MakeForms
  /** The only sender: its parcels are shown at once. */
  alone: boolean
  onShowAll: () => void
}

const NONE: LeftOut = new Map()

/** The waiting parcels of a sender, each of which can be left out. */
export function SenderGroup({
  group,
  maxLabels,
  making,
  onMake,
  alone,
  onShowAll,
}: SenderGroupProps) {
  const [leftOut, setLeftOut] = useState(NONE)
  const { sender, ids, labels, services } = group
  const key = groupKey(group)
  const chosen = chosenOf(group, leftOut)
  const forms = formsOf(chosen, maxLabels)
  const isMaking = making === key
  const setIncluded = (label: WaitingLabel, isIncluded: boolean) =>
    setLeftOut(old => {
      const next = new Map(old)
      if (isIncluded) next.delete(label.id)
      else next.set(label.id, label)
      return next
    })
  return (
    <>
      <div className={styles.head}>
        <SmallScanForm />
        <div className={styles.sender}>
          <h3 className={styles.name}>{senderName(sender)}</h3>
          <p className={styles.place}>{senderPlace(sender)}</p>
          {forms > 1 && <p className={styles.hint}>{texts.several(forms, maxLabels)}</p>}
        </div>
        <Button
          kind="ink"
          busy={isMaking}
          disabledReason={
            making !== null && !isMaking
              ? uiTexts.wait
              : chosen.ids.length === 0
                ? texts.noneChosen
                : null
          }
          aria-label={texts.makeOf(senderName(sender), chosen.ids.length)}
          onClick={async () => {
            if (await onMake(key, chosen.ids)) setLeftOut(NONE)
          }}
        >
          {texts.make(chosen.ids.length)}
        </Button>
      </div>
      <div className={styles.every}>
        <SelectionCheckbox
          name={texts.includeAll(senderName(sender))}
          checked={chosen.ids.length === ids.length || (chosen.ids.length > 0 && 'some')}
          onChange={isIncluded => setLeftOut(isIncluded ? NONE : noneOf(group))}
        />
        <span className={styles.count}>{texts.chosen(chosen.ids.length, ids.length)}</span>
      </div>
      {services.map(({ name, labels: many }) => (
        <ServiceParcels
          key={name}
          service={name}
          count={texts.chosen(
            chosen.services.find(service => service.name === name)?.labels ?? 0,
            many,
          )}
          labels={labels.filter(({ service }) => service === name)}
          total={many}
          isOpen={alone && name === labels[0]?.service}
          leftOut={leftOut}
          onInclude={setIncluded}
          onShowAll={onShowAll}
          canShowMore={labels.length < Math.min(ids.length, MAX_DESCRIBED_LABELS)}
        />
      ))}
    </>
  )
}

type ServiceParcelsProps = {
  service: string
  /** '6 parcels'. */
  count: string
  /** Those that are described. */
  labels: readonly WaitingLabel[]
  total: number
  isOpen: boolean
  leftOut: LeftOut
  onInclude: (label: WaitingLabel, isIncluded: boolean) => void
  onShowAll: () => void
  canShowMore: boolean
}

/** The parcels of one service, folded; opened, all of them are loaded if none is described yet. */
function ServiceParcels({
  service,
  count,
  labels,
  total,
  isOpen,
  leftOut,
  onInclude,
  onShowAll,
  canShowMore,
}: ServiceParcelsProps) {
  const list = useRef<HTMLUListElement>(null)
  return (
    <details
      open={isOpen}
      onToggle={({ currentTarget }) =>
        currentTarget.open && labels.length === 0 && canShowMore && onShowAll()
      }
    >
      <summary className={styles.counts}>
        <span className={styles.serviceName}>{service}</span>
        <span className={styles.place}>{count}</span>
      </summary>
      <ul ref={list} tabIndex={-1} className={styles.parcels}>
        {labels.map(label => (
          <Parcel
            key={label.id}
            label={label}
            isIncluded={!leftOut.has(label.id)}
            onChange={isIncluded => onInclude(label, isIncluded)}
          />
        ))}
      </ul>
      {canShowMore && labels.length < total && (
        <Button
          size="small"
          kind="quiet"
          className={styles.all}
          onClick={() => {
            // The button goes once all are shown.
            list.current?.focus({ preventScroll: true })
            onShowAll()
          }}
        >
          {texts.showAll(total)}
        </Button>
      )}
      {!canShowMore && labels.length < total && (
        <p className={styles.hint}>{texts.notListed(total - labels.length)}</p>
      )}
    </details>
  )
}

type ParcelProps = {
  label: WaitingLabel
  isIncluded: boolean
  onChange: (isIncluded: boolean) => void
}

function Parcel({ label, isIncluded, onChange }: ParcelProps) {
  const { id, trackingNumber, city, state } = label
  const receiver = label.receiver || texts.noName
  return (
    <li className={styles.parcel} data-left-out={!isIncluded || undefined}>
      <SelectionCheckbox name={texts.include(receiver)} checked={isIncluded} onChange={onChange} />
      <span className={styles.receiver}>
        <Link to={`/main/orders/${id}`}>{receiver}</Link>
      </span>
      <span className={styles.place}>{[townText(city), state].filter(Boolean).join(', ')}</span>
      <span className={styles.tracking}>
        <TrackingNumber number={trackingNumber} />
      </span>
    </li>
  )
}

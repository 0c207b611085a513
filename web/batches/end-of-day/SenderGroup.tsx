import { IconChevronDown } from '@tabler/icons-react'
import { useId, useRef, useState } from 'react'
import { Link } from 'react-router'
import { townText } from '#contract/format.ts'
import { MAX_DESCRIBED_LABELS } from '#contract/scan-forms.ts'
import type { ScanFormCandidates, WaitingLabel } from '#contract/scan-forms.ts'
import { TrackingNumber } from '#web/orders/OrderCells.tsx'
import { SmallScanForm } from '#web/shell/EmptyPictures.tsx'
import { Button } from '#web/ui/Button.tsx'
import { cx } from '#web/ui/cx.ts'
import { LoadErrorNotice } from '#web/ui/ErrorLine.tsx'
import { SelectionCheckbox } from '#web/ui/Selection.tsx'
import { texts as uiTexts } from '#web/ui/texts.ts'
import {
  chosenOf,
  formsOf,
  groupKey,
  loadsWhenOpened,
  senderName,
  senderPlace,
  withIncluded,
} from './end-of-day.ts'
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
  /** What must be done before a form is made. */
  waitFor: string | null
  /** The only sender: its parcels are shown at once. */
  alone: boolean
  onShowAll: () => void
  rest: RestLoad
}

/** The load of the parcels beyond the first ones: `idle` until the seller wants to see them. */
export type RestLoad = 'idle' | 'loading' | 'failed'

const NONE: LeftOut = new Set()

/** The waiting parcels of a sender, each of which can be left out. */
export function SenderGroup({
  group,
  maxLabels,
  making,
  onMake,
  waitFor,
  alone,
  onShowAll,
  rest,
}: SenderGroupProps) {
  const [leftOut, setLeftOut] = useState(NONE)
  const { sender, ids, labels, services } = group
  const key = groupKey(group)
  const name = senderName(sender)
  const chosen = chosenOf(ids, leftOut)
  const forms = formsOf(chosen.length, maxLabels)
  const isMaking = making === key
  const include = (which: readonly string[], isIncluded: boolean) =>
    setLeftOut(old => withIncluded(old, which, isIncluded))
  return (
    <>
      <div className={styles.head}>
        <SmallScanForm />
        <div className={styles.sender}>
          <h3 className={styles.name}>{name}</h3>
          <p className={styles.place}>{senderPlace(sender)}</p>
          {forms > 1 && <p className={styles.hint}>{texts.several(forms, maxLabels)}</p>}
        </div>
      </div>
      <div className={styles.tree}>
        {/* Of one service only, its own line says the same. */}
        {services.length > 1 && (
          <div className={styles.line}>
            <IncludeAll
              name={texts.includeAll(name)}
              ids={ids}
              chosen={chosen}
              onChange={include}
            />
            <span className={styles.count}>{texts.chosen(chosen.length, ids.length)}</span>
          </div>
        )}
        {services.map(service => (
          <ServiceParcels
            key={service.name}
            service={service}
            name={texts.includeService(service.name, name)}
            labels={labels.filter(label => label.service === service.name)}
            isOpenAtFirst={alone && service === services[0]}
            leftOut={leftOut}
            onInclude={include}
            onShowAll={onShowAll}
            rest={rest}
            canShowMore={labels.length < Math.min(ids.length, MAX_DESCRIBED_LABELS)}
          />
        ))}
      </div>
      <div className={styles.make}>
        <Button
          kind="ink"
          busy={isMaking}
          disabledReason={
            making !== null && !isMaking
              ? uiTexts.wait
              : chosen.length === 0
                ? texts.noneChosen
                : waitFor
          }
          aria-label={texts.makeOf(name, chosen.length)}
          onClick={async () => {
            if (await onMake(key, chosen)) setLeftOut(NONE)
          }}
        >
          {texts.make(chosen.length)}
        </Button>
      </div>
    </>
  )
}

type Include = (ids: readonly string[], isIncluded: boolean) => void

type IncludeAllProps = {
  name: string
  ids: readonly string[]
  chosen: readonly string[]
  onChange: Include
}

/** Some: a click includes the others too. */
const IncludeAll = ({ name, ids, chosen, onChange }: IncludeAllProps) => (
  <SelectionCheckbox
    name={name}
    checked={chosen.length === ids.length || (chosen.length > 0 && 'some')}
    onChange={isIncluded => onChange(ids, isIncluded)}
  />
)

type ServiceParcelsProps = {
  service: ScanFormCandidates['services'][number]
  /** Of its checkbox. */
  name: string
  /** Those that are described. */
  labels: readonly WaitingLabel[]
  isOpenAtFirst: boolean
  leftOut: LeftOut
  onInclude: Include
  onShowAll: () => void
  rest: RestLoad
  canShowMore: boolean
}

/** The parcels of one service, folded; opened, all of them are loaded if only a few are described yet. */
function ServiceParcels({
  service: { name: serviceName, ids },
  name,
  labels,
  isOpenAtFirst,
  leftOut,
  onInclude,
  onShowAll,
  rest,
  canShowMore,
}: ServiceParcelsProps) {
  const isShort = canShowMore && loadsWhenOpened(labels.length, ids.length)
  const [isOpen, setOpen] = useState(isOpenAtFirst)
  const list = useRef<HTMLUListElement>(null)
  const listId = useId()
  const chosen = chosenOf(ids, leftOut)
  const missing = ids.length - labels.length
  const toggle = () => {
    setOpen(!isOpen)
    if (!isOpen && isShort) onShowAll()
  }
  const showAll = () => {
    // The button goes while all are loaded.
    list.current?.focus({ preventScroll: true })
    onShowAll()
  }
  return (
    <>
      <div className={styles.line}>
        <IncludeAll name={name} ids={ids} chosen={chosen} onChange={onInclude} />
        <button
          type="button"
          className={styles.fold}
          aria-expanded={isOpen}
          aria-controls={isOpen ? listId : undefined}
          onClick={toggle}
        >
          <span className={styles.serviceName}>{serviceName}</span>
          <span className={styles.place}>{texts.chosen(chosen.length, ids.length)}</span>
          <IconChevronDown aria-hidden="true" className={styles.chevron} />
        </button>
      </div>
      {isOpen && (
        <p className={styles.heads} aria-hidden="true">
          <span>{texts.heads.receiver}</span>
          <span>{texts.heads.place}</span>
          <span>{texts.heads.tracking}</span>
        </p>
      )}
      {isOpen && (
        <ul ref={list} id={listId} tabIndex={-1} className={styles.parcels}>
          {labels.map(label => (
            <Parcel
              key={label.id}
              label={label}
              isIncluded={!leftOut.has(label.id)}
              onChange={isIncluded => onInclude([label.id], isIncluded)}
            />
          ))}
        </ul>
      )}
      {isOpen && missing > 0 && (
        <MissingParcels
          missing={missing}
          all={ids.length}
          rest={rest}
          canShowMore={canShowMore}
          onShowAll={showAll}
        />
      )}
    </>
  )
}

type MissingParcelsProps = {
  missing: number
  all: number
  rest: RestLoad
  canShowMore: boolean
  onShowAll: () => void
}

/** Below the described parcels of a service: how the others are shown. */
function MissingParcels({ missing, all, rest, canShowMore, onShowAll }: MissingParcelsProps) {
  if (!canShowMore)
    return <p className={cx(styles.more, styles.hint)}>{texts.notListed(missing)}</p>
  if (rest === 'failed')
    return (
      <div className={styles.notLoaded}>
        <LoadErrorNotice onRetry={onShowAll}>{texts.restFailed}</LoadErrorNotice>
      </div>
    )
  return rest === 'loading' ? (
    <p role="status" className={cx(styles.more, styles.hint)}>
      {texts.loading}
    </p>
  ) : (
    <div className={styles.more}>
      <Button size="small" kind="quiet" onClick={onShowAll}>
        {texts.showAll(all)}
      </Button>
    </div>
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

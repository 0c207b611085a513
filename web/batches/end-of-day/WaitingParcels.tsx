import { useQuery } from '@tanstack/react-query'
import { MAX_SCAN_FORM_LABELS, scanFormCandidates } from '#contract/scan-forms.ts'
import type { ScanFormCandidates } from '#contract/scan-forms.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { send } from '#web/client/send.ts'
import { ScanFormPicture, SmallScanForm } from '#web/shell/EmptyPictures.tsx'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { addDays } from '#web/ui/calendar.ts'
import { Card } from '#web/ui/Card.tsx'
import { DateField } from '#web/ui/DateField.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { LoadErrorNotice, Notice } from '#web/ui/ErrorLine.tsx'
import { Segments } from '#web/ui/Segments.tsx'
import { texts as uiTexts } from '#web/ui/texts.ts'
import { useUrlFilters } from '#web/ui/use-url-filters.ts'
import { formsOf, senderName, senderPlace } from './end-of-day.ts'
import { texts } from './texts.ts'
import styles from './EndOfDay.module.css'

type WaitingParcelsProps = {
  userId: string
  /** The first label of the group whose form is being made. */
  making: string | null
  onMake: (group: ScanFormCandidates) => void
}

/** The parcels of a day that are on no form, by sender. */
export function WaitingParcels({ userId, making, onMake }: WaitingParcelsProps) {
  const { values, setFilters } = useUrlFilters(['day'])
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(values.day)
  const day = isDay ? values.day : undefined
  const { data, isError, refetch } = useQuery({
    queryKey: queryKeys.scanFormCandidates(userId, day ?? ''),
    queryFn: ({ signal }) =>
      send(scanFormCandidates, { params: { userId }, query: { day } }, { signal }),
  })
  return (
    <Card
      title={texts.ready}
      className={styles.waiting}
      action={
        data && (
          <DayChoice
            day={data.day}
            today={data.today}
            onDay={chosen => setFilters({ day: chosen === data.today ? '' : chosen })}
          />
        )
      }
    >
      <p className={styles.what}>{texts.what}</p>
      {isError && !data ? (
        <LoadErrorNotice onRetry={() => void refetch()}>{texts.failed}</LoadErrorNotice>
      ) : !data ? (
        <p role="status" className={styles.loading}>
          {texts.loading}
        </p>
      ) : data.groups.length === 0 ? (
        <EmptyState
          title={data.offered ? texts.none : texts.notOffered}
          text={data.offered ? texts.noneText : texts.notOfferedText}
          picture={<ScanFormPicture />}
          action={
            data.offered && (
              <ButtonLink kind="ink" to="/main/order-label">
                {texts.order}
              </ButtonLink>
            )
          }
        />
      ) : (
        <>
          <ul className={styles.groups}>
            {data.groups.map(group => (
              <li key={group.ids[0]} className={styles.group}>
                <SenderGroup
                  group={group}
                  maxLabels={data.maxLabels}
                  making={making}
                  onMake={onMake}
                />
              </li>
            ))}
          </ul>
          {data.more && <Notice tone="yellow">{texts.more(MAX_SCAN_FORM_LABELS)}</Notice>}
        </>
      )}
    </Card>
  )
}

type DayChoiceProps = { day: string; today: string; onDay: (day: string) => void }

function DayChoice({ day, today, onDay }: DayChoiceProps) {
  const yesterday = addDays(today, -1)
  return (
    <div className={styles.days}>
      <Segments
        label={texts.bought}
        options={[
          { value: today, text: texts.today },
          { value: yesterday, text: texts.yesterday },
        ]}
        value={day}
        onChange={onDay}
      />
      <DateField
        label={texts.day}
        hideLabel
        error={day > today ? texts.badDay : undefined}
        value={day}
        onDay={chosen => chosen !== '' && onDay(chosen)}
        className={styles.day}
      />
    </div>
  )
}

type SenderGroupProps = Omit<WaitingParcelsProps, 'userId'> & {
  group: ScanFormCandidates
  maxLabels: number
}

function SenderGroup({ group, maxLabels, making, onMake }: SenderGroupProps) {
  const { sender, services, ids } = group
  const forms = formsOf(group, maxLabels)
  const isMaking = making === ids[0]
  return (
    <>
      <SmallScanForm />
      <div className={styles.sender}>
        <h3 className={styles.name}>{senderName(sender)}</h3>
        <p className={styles.place}>{senderPlace(sender)}</p>
        {forms > 1 && <p className={styles.hint}>{texts.several(forms, maxLabels)}</p>}
      </div>
      <div className={styles.counts}>
        <p className={styles.count}>{texts.parcels(ids.length)}</p>
        <ul className={styles.services}>
          {services.map(({ name, labels }) => (
            <li key={name}>{texts.service(name, labels)}</li>
          ))}
        </ul>
      </div>
      <Button
        kind="ink"
        busy={isMaking}
        disabledReason={making !== null && !isMaking ? uiTexts.wait : null}
        aria-label={texts.makeOf(senderName(sender), ids.length)}
        onClick={() => onMake(group)}
      >
        {texts.make}
      </Button>
    </>
  )
}

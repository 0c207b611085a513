import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  MAX_DESCRIBED_LABELS,
  MAX_SCAN_FORM_LABELS,
  scanFormCandidates,
} from '#contract/scan-forms.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { send } from '#web/client/send.ts'
import { useUser } from '#web/client/session.ts'
import { ScanFormPicture } from '#web/shell/EmptyPictures.tsx'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { addDays, today as localToday } from '#web/ui/calendar.ts'
import { Card } from '#web/ui/Card.tsx'
import { DateField } from '#web/ui/DateField.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { LoadErrorNotice, Notice } from '#web/ui/ErrorLine.tsx'
import { HowItWorks } from '#web/ui/HowItWorks.tsx'
import { useUrlFilters } from '#web/ui/use-url-filters.ts'
import { FIRST_LABELS, groupKey } from './end-of-day.ts'
import { SenderGroup } from './SenderGroup.tsx'
import type { MakeForms } from './SenderGroup.tsx'
import { texts } from './texts.ts'
import styles from './EndOfDay.module.css'

type WaitingParcelsProps = {
  userId: string
  /** Key of the group whose form is being made. */
  making: string | null
  onMake: MakeForms
}

/** The parcels of a day that are on no form, by sender. */
export function WaitingParcels({ userId, making, onMake }: WaitingParcelsProps) {
  const { values, setFilters } = useUrlFilters(['day'])
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(values.day)
  const day = isDay ? values.day : undefined
  /** While the field holds no valid day: the URL's day when it was emptied, '' if the URL had none. */
  const [emptiedDay, setEmptiedDay] = useState<string>()
  const [fieldKey, setFieldKey] = useState(0)
  const isDayMissing = emptiedDay !== undefined
  // A link, or Back, leads to another day: the field starts again with that one.
  if (isDayMissing && emptiedDay !== (day ?? '')) {
    setEmptiedDay(undefined)
    setFieldKey(fieldKey + 1)
  }
  /** The day of which all parcels are wanted. */
  const [dayOfAll, setDayOfAll] = useState<string>()
  const wantsAll = dayOfAll === (day ?? '')
  const queryFor = (labels: number) => ({
    queryKey: [...queryKeys.scanFormCandidates(userId, day ?? ''), labels],
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      send(scanFormCandidates, { params: { userId }, query: { day, labels } }, { signal }),
  })
  const first = useQuery(queryFor(FIRST_LABELS))
  // Not kept for the next visit, which would show it without asking again.
  const all = useQuery({ ...queryFor(MAX_DESCRIBED_LABELS), enabled: wantsAll, gcTime: 0 })
  const isAllFailed = wantsAll && all.isError && all.dataUpdatedAt <= first.dataUpdatedAt
  // The first parcels stay while all are loading, and when that fails: a new list would forget which ones are left out.
  const data = (wantsAll && !isAllFailed ? all.data : undefined) ?? first.data
  const rest = isAllFailed ? 'failed' : wantsAll && all.isFetching ? 'loading' : 'idle'
  const showAll = () => (wantsAll ? void all.refetch() : setDayOfAll(day ?? ''))
  // Nothing was ever bought, or all of it was voided.
  const isNew = useUser().totalSpent === 0 && data?.groups.length === 0
  const shownDay = data?.day ?? day
  const setDay = (chosen: string) => {
    setEmptiedDay(chosen === '' ? (day ?? '') : undefined)
    if (chosen !== '') setFilters({ day: chosen === data?.today ? '' : chosen })
  }
  return (
    <>
      <Card
        title={texts.ready}
        className={styles.waiting}
        action={
          shownDay !== undefined
          && !isNew && (
            <DayField
              key={fieldKey}
              day={isDayMissing ? '' : shownDay}
              today={data?.today ?? shownDay}
              onDay={setDay}
            />
          )
        }
      >
        {(data?.groups.length ?? 0) > 0 && <p className={styles.what}>{texts.what}</p>}
        {first.isError && !data ? (
          <LoadErrorNotice onRetry={() => void first.refetch()}>{texts.failed}</LoadErrorNotice>
        ) : !data ? (
          <p role="status" className={styles.loading}>
            {texts.loading}
          </p>
        ) : data.groups.length === 0 ? (
          <EmptyState
            title={!data.offered ? texts.notOffered : isNew ? texts.noneEver : texts.none}
            text={!data.offered ? texts.notOfferedText : isNew ? texts.newText : texts.noneText}
            picture={<ScanFormPicture />}
            action={
              data.offered && (
                <>
                  <ButtonLink kind="ink" to="/main/order-label">
                    {texts.order}
                  </ButtonLink>
                  {isNew ? (
                    <ButtonLink to="/main/bulk-order">{texts.upload}</ButtonLink>
                  ) : (
                    data.day === data.today
                    && !isDayMissing && (
                      <Button onClick={() => setDay(addDays(data.today, -1))}>
                        {texts.yesterday}
                      </Button>
                    )
                  )}
                </>
              )
            }
          />
        ) : (
          <>
            <ul className={styles.groups}>
              {data.groups.map(group => (
                <li key={groupKey(group)} className={styles.group}>
                  <SenderGroup
                    group={group}
                    maxLabels={data.maxLabels}
                    waitFor={isDayMissing ? texts.dayMissing : null}
                    making={making}
                    onMake={onMake}
                    alone={data.groups.length === 1}
                    onShowAll={showAll}
                    rest={rest}
                  />
                </li>
              ))}
            </ul>
            {data.more && <Notice tone="yellow">{texts.more(MAX_SCAN_FORM_LABELS)}</Notice>}
          </>
        )}
      </Card>
      {isNew && data.offered && <HowItWorks {...texts.how} />}
    </>
  )
}

/** `day`: '' for none. */
type DayFieldProps = { day: string; today: string; onDay: (day: string) => void }

function DayField({ day, today, onDay }: DayFieldProps) {
  return (
    <div className={styles.days}>
      <span className={styles.dayLabel}>
        <span aria-hidden="true">{texts.day}</span>
        {/* In the evening the reader's day is another one. */}
        {today !== localToday() && <span className={styles.hint}>{texts.eastern}</span>}
      </span>
      <DateField
        label={texts.day}
        hideLabel
        error={day > today ? texts.badDay : undefined}
        value={day}
        onDay={onDay}
        className={styles.day}
      />
    </div>
  )
}

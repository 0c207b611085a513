/** Who changed what, newest first. Read-only. */
import { useState } from 'react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { AUDIT_KINDS, listAuditEntries } from '#contract/audit.ts'
import type { AuditEntry, AuditKind } from '#contract/audit.ts'
import { isId } from '#contract/endpoint.ts'
import { UserField, useUserName } from '#web/accounts/admin/UserField.tsx'
import { queryKeys } from '#web/client/query-keys.ts'
import { send } from '#web/client/send.ts'
import { useUser } from '#web/client/session.ts'
import { useServerList } from '#web/client/use-server-list.ts'
import { Button } from '#web/ui/Button.tsx'
import { dayText } from '#web/ui/calendar.ts'
import { startOfDay, endOfDay } from '#web/ui/date-range.ts'
import { longDateText } from '#web/ui/date-text.ts'
import { DateRangeFields } from '#web/ui/DateRangeFields.tsx'
import { DotLine } from '#web/ui/DotLine.tsx'
import { LoadErrorNotice } from '#web/ui/ErrorLine.tsx'
import { NativeSelectField } from '#web/ui/Field.tsx'
import { FilterChips } from '#web/ui/FilterChips.tsx'
import { FiltersButton } from '#web/ui/FiltersButton.tsx'
import { ListTable } from '#web/ui/ListTable.tsx'
import type { Column } from '#web/ui/ListTable.tsx'
import { SearchField } from '#web/ui/SearchField.tsx'
import { ShortIds } from '#web/ui/ShortIds.tsx'
import { StatusPill } from '#web/ui/StatusPill.tsx'
import type { Tone } from '#web/ui/tone.ts'
import { useUrlFilters } from '#web/ui/use-url-filters.ts'
import { useIsPhone } from '#web/ui/use-viewport.ts'
import { DateTime, TwoLines } from '#web/ui/Value.tsx'
import { recordIdOf, detailLines } from './details.ts'
import { texts } from './texts.ts'
import styles from './Audit.module.css'

const PAGE_SIZE = 25
/** Width of the list in which a sentence has a line beside two email addresses. */
const CARDS_BELOW_PX = 900
const AUDIT_FILTER_FIELDS = ['search', 'kind', 'userId', 'from', 'to'] as const
type AuditFilterValues = Record<(typeof AUDIT_FILTER_FIELDS)[number], string>

/** An unknown value, from an old link, filters nothing. */
const auditFilterFrom = ({ search, kind, userId, from, to }: AuditFilterValues) => ({
  search: search || undefined,
  kind: AUDIT_KINDS.find(known => known === kind),
  userId: isId(userId) ? userId : undefined,
  from: startOfDay(from),
  to: endOfDay(to),
})

export function AuditPage() {
  const { _id } = useUser()
  const { values, setFilters, isFiltered, clear } = useUrlFilters(AUDIT_FILTER_FIELDS)
  const filter = auditFilterFrom(values)
  const {
    rows,
    total,
    hasMore,
    extra: moreUsers,
    paging,
    failed,
    retry,
  } = useServerList<AuditEntry, boolean>({
    size: PAGE_SIZE,
    queryKey: page => queryKeys.audit(_id, page, filter),
    load: async (page, signal) => {
      const list = await send(
        listAuditEntries,
        { query: { ...filter, page, limit: PAGE_SIZE } },
        { signal },
      )
      return {
        rows: list.entries,
        total: list.totalCount,
        hasMore: list.more,
        extra: list.moreUsers,
      }
    },
  })
  const count = total === undefined ? '' : texts.count(total, hasMore)
  return (
    <ListTable
      title={texts.title}
      columns={COLUMNS}
      rows={rows}
      rowKey={entry => entry._id}
      groupOf={({ at }) => longDateText(at)}
      lines={1}
      paging={paging}
      loadingText={texts.loading}
      note={<span role="status">{count}</span>}
      filters={
        <AuditFilters
          values={values}
          setFilters={setFilters}
          moreUsers={moreUsers === true}
          onClear={clear}
        />
      }
      empty={
        isFiltered
          ? {
              title: texts.none,
              text: texts.noneNarrowed,
              action: <Button onClick={clear}>{texts.clear}</Button>,
            }
          : { title: texts.none, text: texts.noneText }
      }
      errorNotice={failed && <LoadErrorNotice onRetry={retry}>{texts.failed}</LoadErrorNotice>}
      cardsBelow={CARDS_BELOW_PX}
      card={(entry, wide) => {
        const withUser = entry.subject !== null && !isOwnAction(entry)
        // An email address would make a line of its own in a narrow card.
        const by = [
          actorName(entry),
          wide && entry.actor?.email,
          withUser && texts.about(entry.subject!.name),
          wide && withUser && entry.subject!.email,
        ]
        const label = recordIdOf(entry.detail.orderId) !== null && (
          <LabelLink key="label" entry={entry} />
        )
        return {
          title: (
            <span className={styles.sentence}>
              <ShortIds text={entry.text} />
            </span>
          ),
          details:
            detailsOf(entry).length > 0
              ? [
                  <EntryDetails key="by" entry={entry}>
                    <DotLine parts={by} />
                  </EntryDetails>,
                  label,
                ]
              : [<DotLine key="by" parts={[...by, label]} />],
          aside: [
            <KindPill key="kind" kind={entry.kind} />,
            <span key="at" className={styles.at}>
              <DateTime at={entry.at} clock exact />
            </span>,
          ],
        }
      }}
    />
  )
}

type AuditFiltersProps = {
  values: AuditFilterValues
  setFilters: (changes: Partial<AuditFilterValues>) => void
  /** The search matches more users than are searched. */
  moreUsers: boolean
  onClear: () => void
}

/** On phones all but the search open by a button. */
function AuditFilters({ values, setFilters, moreUsers, onClear }: AuditFiltersProps) {
  const phone = useIsPhone()
  const [isOpen, setOpen] = useState(false)
  const { search, ...others } = values
  const chosen = Object.values(others).filter(Boolean).length
  return (
    <>
      <SearchField
        label={texts.search}
        hint={phone ? texts.search : values.userId ? texts.hintWithUser : texts.hint}
        hideLabel={phone}
        search={search}
        onSearch={typed => setFilters({ search: typed })}
        className={styles.search}
      />
      {phone && <FiltersButton chosen={chosen} isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />}
      {(!phone || isOpen) && (
        <>
          <div className={styles.kind}>
            <KindField kind={values.kind} onKind={kind => setFilters({ kind })} />
          </div>
          <div className={styles.person}>
            <UserField
              label={texts.user}
              value={values.userId}
              onPick={userId => setFilters({ userId })}
            />
          </div>
          <DateRangeFields
            from={values.from}
            to={values.to}
            texts={texts.days}
            onChange={setFilters}
            className={styles.day}
          />
        </>
      )}
      <AuditChips values={values} setFilters={setFilters} onClear={onClear} />
      {moreUsers && <p className={styles.moreUsers}>{texts.moreUsers}</p>}
    </>
  )
}

/** A value that filters nothing has no chip. */
function AuditChips({
  values,
  setFilters,
  onClear,
}: Pick<AuditFiltersProps, 'values' | 'setFilters' | 'onClear'>) {
  const { search, kind, userId, from, to } = auditFilterFrom(values)
  const user = useUserName(userId ?? '')
  const chips = [
    { field: 'search', name: texts.search, value: search },
    { field: 'kind', name: texts.kind, value: kind && texts.kinds[kind] },
    { field: 'userId', name: texts.user, value: userId && user },
    { field: 'from', name: texts.days.from, value: from && dayText(values.from) },
    { field: 'to', name: texts.days.to, value: to && dayText(values.to) },
  ].flatMap(({ field, name, value }) =>
    value ? [{ name, value, onRemove: () => setFilters({ [field]: '' }) }] : [],
  )
  if (chips.length === 0) return null
  return (
    <div className={styles.chips}>
      <FilterChips chips={chips} clearText={texts.clear} onClear={onClear} />
    </div>
  )
}

function KindField({ kind, onKind }: { kind: string; onKind: (kind: string) => void }) {
  const data = [
    { value: '', label: texts.allKinds },
    ...AUDIT_KINDS.map(value => ({ value, label: texts.kinds[value] })),
  ]
  return (
    <NativeSelectField
      label={texts.kind}
      error={null}
      data={data}
      value={kind}
      onChange={event => onKind(event.currentTarget.value)}
    />
  )
}

const COLUMNS: Column<AuditEntry>[] = [
  { head: texts.columns.at, cell: ({ at }) => <DateTime at={at} clock exact /> },
  {
    head: texts.columns.actor,
    clip: true,
    cell: entry => <TwoLines first={actorName(entry)} second={entry.actor?.email ?? ''} />,
  },
  { head: texts.columns.kind, cell: ({ kind }) => <KindPill kind={kind} /> },
  { head: texts.columns.action, cell: entry => <ActionCell entry={entry} /> },
  { head: texts.columns.subject, clip: true, cell: entry => <SubjectCell entry={entry} /> },
]

/** Without a user, sign-ins and denials are a visitor's; other entries are the system's. */
const actorName = ({ actor, kind }: AuditEntry): string =>
  actor ? actor.name : kind === 'sign-in' || kind === 'denied' ? texts.visitor : texts.system
const isOwnAction = ({ actor, subject }: AuditEntry): boolean =>
  subject !== null && subject._id === actor?._id

function SubjectCell({ entry }: { entry: AuditEntry }) {
  const { subject } = entry
  if (!subject) return texts.noSubject
  return isOwnAction(entry) ? (
    <span className={styles.own}>{texts.own}</span>
  ) : (
    <TwoLines first={subject.name} second={subject.email} />
  )
}

const KindPill = ({ kind }: { kind: AuditKind }) => (
  <StatusPill tone={KIND_TONE[kind] ?? 'neutral'}>{texts.kinds[kind]}</StatusPill>
)

/** What an operator looks for stands out among reads and sign-ins. */
const KIND_TONE: Partial<Record<AuditKind, Tone>> = {
  denied: 'red',
  'log-in-as': 'yellow',
  money: 'blue',
  prices: 'blue',
}

/** The sentence, and an arrow before it that opens its recorded details. */
const ActionCell = ({ entry }: { entry: AuditEntry }) => (
  <div className={styles.what}>
    <span>
      <ShortIds text={entry.text} /> <LabelLink entry={entry} />
    </span>
    <EntryDetails entry={entry} />
  </div>
)

function LabelLink({ entry: { detail } }: { entry: AuditEntry }) {
  const order = recordIdOf(detail.orderId)
  if (order === null) return null
  return (
    <Link className={styles.open} to={`/admin/order-label-management/${order}`}>
      {texts.open}
    </Link>
  )
}

/** All recorded details but the linked label. */
function detailsOf({ detail }: AuditEntry) {
  const { orderId, ...rest } = detail
  return detailLines(recordIdOf(orderId) === null ? detail : rest)
}

/** Folded, behind an arrow; `children` stand beside it. */
function EntryDetails({ entry, children }: { entry: AuditEntry; children?: ReactNode }) {
  const lines = detailsOf(entry)
  if (lines.length === 0) return null
  return (
    <details className={styles.details}>
      <summary>
        <span className="visually-hidden">{texts.details}</span>
        {children}
      </summary>
      <dl>
        {lines.map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

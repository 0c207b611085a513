/** Who did what to whom, newest first. To be read only. */
import { Link } from 'react-router'
import { AUDIT_KINDS, auditTrail } from '#contract/audit.ts'
import type { AuditEntry, AuditKind } from '#contract/audit.ts'
import { isId } from '#contract/call.ts'
import { DayFields } from '#web/admin/DayFields.tsx'
import { dayBegins, dayEnds } from '#web/admin/days.ts'
import { UserField } from '#web/admin/people/UserField.tsx'
import { keys } from '#web/client/keys.ts'
import { send } from '#web/client/send.ts'
import { useUser } from '#web/client/session.ts'
import { useServerList } from '#web/client/use-server-list.ts'
import { Button } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/ErrorLine.tsx'
import { PickField } from '#web/ui/Field.tsx'
import { ListTable } from '#web/ui/ListTable.tsx'
import type { Column } from '#web/ui/ListTable.tsx'
import { StatusPill } from '#web/ui/StatusPill.tsx'
import { useUrlFields } from '#web/ui/use-url-fields.ts'
import { DateTime, TwoLines } from '#web/ui/Value.tsx'
import { idOf, linesOf } from './detail.ts'
import { texts } from './texts.ts'
import styles from './Audit.module.css'

const ROWS = 25
const FIELDS = ['kind', 'userId', 'from', 'to'] as const
type Values = Record<(typeof FIELDS)[number], string>

/** A value that cannot be asked for narrows nothing. */
const filterOf = ({ kind, userId, from, to }: Values) => ({
  kind: AUDIT_KINDS.find(known => known === kind),
  userId: isId(userId) ? userId : undefined,
  from: dayBegins(from),
  to: dayEnds(to),
})

export function AuditPage() {
  const { _id } = useUser()
  const { values, put, any, clear } = useUrlFields(FIELDS)
  const filter = filterOf(values)
  const { rows, total, more, paging, failed, again } = useServerList<AuditEntry>({
    size: ROWS,
    queryKey: page => keys.audit(_id, page, filter),
    load: async (page, signal) => {
      const answer = await send(auditTrail, { query: { ...filter, page, limit: ROWS } }, { signal })
      return { rows: answer.entries, total: answer.totalCount, more: answer.more }
    },
  })
  const count = total === undefined ? '' : texts.count(total, more)
  return (
    <ListTable
      title={texts.title}
      columns={COLUMNS}
      rows={rows}
      rowKey={entry => entry._id}
      paging={paging}
      loadingText={texts.loading}
      note={<span role="status">{count}</span>}
      action={
        any && (
          <Button kind="quiet" onClick={clear}>
            {texts.clear}
          </Button>
        )
      }
      tools={
        <>
          <div className={styles.kind}>
            <KindField kind={values.kind} onKind={kind => put({ kind })} />
          </div>
          <div className={styles.person}>
            <UserField
              label={texts.user}
              value={values.userId}
              onPick={userId => put({ userId })}
            />
          </div>
          <DayFields
            from={values.from}
            to={values.to}
            words={texts.days}
            onChange={put}
            className={styles.day}
          />
        </>
      }
      empty={
        any
          ? {
              title: texts.none,
              text: texts.noneNarrowed,
              action: <Button onClick={clear}>{texts.clear}</Button>,
            }
          : { title: texts.none, text: texts.noneText }
      }
      failed={
        failed && (
          <Notice
            tone="red"
            action={
              <Button size="small" onClick={again}>
                {texts.tryAgain}
              </Button>
            }
          >
            {texts.failed}
          </Notice>
        )
      }
      card={entry => ({
        title: <What entry={entry} />,
        details: [
          entry.actor ? `${whoOf(entry)} · ${entry.actor.email}` : whoOf(entry),
          ...(entry.subject && !isOwn(entry)
            ? [texts.about(entry.subject.name, entry.subject.email)]
            : []),
        ],
        aside: [<Kind key="kind" kind={entry.kind} />, <DateTime key="at" at={entry.at} stacked />],
      })}
    />
  )
}

function KindField({ kind, onKind }: { kind: string; onKind: (kind: string) => void }) {
  const data = [
    { value: '', label: texts.allKinds },
    ...AUDIT_KINDS.map(value => ({ value, label: texts.kinds[value] })),
  ]
  return (
    <PickField
      label={texts.kind}
      error={null}
      data={data}
      value={kind}
      onChange={event => onKind(event.currentTarget.value)}
    />
  )
}

const COLUMNS: Column<AuditEntry>[] = [
  { head: texts.columns.at, cell: ({ at }) => <DateTime at={at} stacked exact /> },
  {
    head: texts.columns.who,
    cell: entry => <TwoLines first={whoOf(entry)} second={entry.actor?.email ?? ''} />,
  },
  { head: texts.columns.what, cell: entry => <What entry={entry} /> },
  { head: texts.columns.whom, cell: entry => <Whom entry={entry} /> },
  { head: texts.columns.kind, cell: ({ kind }) => <Kind kind={kind} />, align: 'end' },
]

/** Without a user it was a visitor where somebody wanted to come in, and the house itself elsewhere. */
const whoOf = ({ actor, kind }: AuditEntry): string =>
  actor ? actor.name : kind === 'sign-in' || kind === 'denied' ? texts.visitor : texts.house
const isOwn = ({ actor, subject }: AuditEntry): boolean =>
  subject !== null && subject._id === actor?._id

function Whom({ entry }: { entry: AuditEntry }) {
  const { subject } = entry
  if (!subject) return texts.nobody
  return isOwn(entry) ? (
    <span className={styles.own}>{texts.own}</span>
  ) : (
    <TwoLines first={subject.name} second={subject.email} />
  )
}

const Kind = ({ kind }: { kind: AuditKind }) => (
  <StatusPill tone={kind === 'denied' ? 'red' : 'neutral'}>{texts.kinds[kind]}</StatusPill>
)

/** The sentence, and the way to the label it is about; below, when it is wanted, all else that was written down with it. */
function What({ entry: { text, detail } }: { entry: AuditEntry }) {
  const { orderId, ...rest } = detail
  const order = idOf(orderId)
  const lines = linesOf(order === null ? detail : rest)
  return (
    <div className={styles.what}>
      <span>
        {text} {order && <Link to={`/admin/order-label-management/${order}`}>{texts.open}</Link>}
      </span>
      {lines.length > 0 && (
        <details className={styles.details}>
          <summary>{texts.details}</summary>
          <dl>
            {lines.map(({ name, value }) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </div>
  )
}

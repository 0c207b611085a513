import { useQuery } from '@tanstack/react-query'
import { invitedUsers, referralCode } from '#contract/referrals.ts'
import type { InvitedUser } from '#contract/referrals.ts'
import { keys } from '#web/client/keys.ts'
import { messageOf, send, sendList } from '#web/client/send.ts'
import { useUser } from '#web/client/session.ts'
import { useServerList } from '#web/client/use-server-list.ts'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { CopyField } from '#web/ui/CopyText.tsx'
import { Notice } from '#web/ui/ErrorLine.tsx'
import { Empty, ListTable } from '#web/ui/ListTable.tsx'
import type { Column } from '#web/ui/ListTable.tsx'
import { DateTime, Money } from '#web/ui/Value.tsx'
import styles from './Referrals.module.css'
import { inviteLink } from './invite-link.ts'
import { texts } from './texts.ts'

/** Rows of a page (specification, 9). */
const SIZE = 7

/** Specification, 2 (/main/invite) and 6: for friends and administrators; a user who comes by the address is told so. */
export function InvitePage() {
  const { user_role } = useUser()
  if (user_role === 'user') {
    const away = <ButtonLink to="/main/dashboard" kind="ink">{texts.toDashboard}</ButtonLink>
    return <Empty heading="h2" title={texts.notYours} text={texts.notYoursText} action={away} />
  }
  return <div className={styles.page}><Share /><Invited /></div>
}

/** The server's own words, else the specified ones (specification, 8). */
function Failure({ reason, again }: { reason: unknown, again: () => void }) {
  return (
    <Notice tone="red" action={<Button size="small" onClick={again}>{texts.tryAgain}</Button>}>{messageOf(reason, texts.failed)}</Notice>
  )
}

function Share() {
  const { _id: userId } = useUser()
  const { data, error, refetch } = useQuery({
    queryKey: keys.referralCode(userId), queryFn: () => send(referralCode, { params: { userId } }),
  })
  const code = data?.referralCode ?? null
  return (
    <Card title={texts.share}>
      <p className={styles.text}>{texts.shareText}</p>
      {error && !data ? <Failure reason={error} again={() => void refetch()} /> : (
        <div className={styles.fields}>
          <CopyField label={texts.link} value={code && inviteLink(location.origin, code)} />
          <CopyField label={texts.code} value={code} />
        </div>
      )}
    </Card>
  )
}

const COLUMNS: Column<InvitedUser>[] = [
  { head: texts.columns.name, cell: ({ name }) => <span className={styles.name}>{name}</span> },
  { head: texts.columns.registered, cell: ({ registeredDate }) => <DateTime at={registeredDate} /> },
  { head: texts.columns.deposit, align: 'end', cell: ({ totalDeposit }) => <Money dollars={totalDeposit} /> },
]

function Invited() {
  const { _id: userId } = useUser()
  const { rows, paging, failed, reason, again } = useServerList<InvitedUser>({
    size: SIZE, queryKey: page => keys.invited(userId, page),
    load: (page, signal) => sendList(invitedUsers, { params: { userId }, query: { page, limit: SIZE } }, { signal }),
  })
  return (
    <ListTable title={texts.title} columns={COLUMNS} rows={rows} rowKey={({ name, registeredDate }) => `${registeredDate} ${name}`}
      paging={paging} lines={1} failed={failed && <Failure reason={reason} again={again} />}
      empty={{ title: texts.none, text: texts.noneText }}
      card={({ name, registeredDate, totalDeposit }) => ({
        title: <span className={styles.name}>{name}</span>, details: [<DateTime key="at" at={registeredDate} />],
        aside: [<Money key="deposit" dollars={totalDeposit} />],
      })} />
  )
}

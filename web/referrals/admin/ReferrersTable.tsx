import { IconPencil } from '@tabler/icons-react'
import { numberText } from '#contract/format.ts'
import { usdFromDollars } from '#contract/money.ts'
import { listReferrers, RECENT_SIGN_UP_DAYS } from '#contract/referrals.ts'
import type { Referrer, SignUp } from '#contract/referrals.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { messageOf, send } from '#web/client/send.ts'
import { useUser } from '#web/client/session.ts'
import { useServerList } from '#web/client/use-server-list.ts'
import { Button, IconButton } from '#web/ui/Button.tsx'
import { FigureList } from '#web/ui/Card.tsx'
import { LoadErrorNotice } from '#web/ui/ErrorLine.tsx'
import { ListTable } from '#web/ui/ListTable.tsx'
import type { Column } from '#web/ui/ListTable.tsx'
import { DateTime, Money, TwoLines } from '#web/ui/Value.tsx'
import { AccountLink } from './AccountLink.tsx'
import { LatestSignUps } from './LatestSignUps.tsx'
import { SignUpsChart } from './SignUpsChart.tsx'
import { texts } from './texts.ts'
import styles from './ReferralManagement.module.css'

const t = texts.referrers
const PAGE_SIZE = 10
/** The six columns fit from this width. */
const TABLE_PX = 700
/** The latest sign-ups are as many as the codes beside them, so that no card has a hole; at least so many. */
const FEWEST_LATEST = 3

type SignUpSums = { figures: SignUpFigures; perWeek: number[]; latest: SignUp[] }

export function ReferrersTable({ onPick }: { onPick: (userId: string) => void }) {
  const { _id: adminId } = useUser()
  const { rows, paging, failed, error, retry, latestExtra } = useServerList<Referrer, SignUpSums>({
    size: PAGE_SIZE,
    queryKey: page => queryKeys.referrers(adminId, page),
    load: async (page, signal) => {
      const query = { page, limit: PAGE_SIZE }
      const { referrers, totalCount, signUps, recentSignUps, signUpsPerWeek, latest } = await send(
        listReferrers,
        { query },
        { signal },
      )
      const figures = { codes: totalCount, signUps, recent: recentSignUps }
      const extra = { figures, perWeek: signUpsPerWeek, latest }
      return { rows: referrers, total: totalCount, extra }
    },
  })
  const { figures, perWeek, latest = [] } = latestExtra ?? {}
  const most = Math.max(0, ...(rows ?? []).map(({ totalDeposit }) => totalDeposit))
  const open = ({ user }: Referrer) => (
    <Button size="small" aria-label={t.openOf(user.name)} onClick={() => onPick(user._id)}>
      {t.open}
    </Button>
  )
  const columns: Column<Referrer>[] = [
    {
      head: t.user,
      cell: ({ user }) => <TwoLines first={<AccountLink user={user} />} second={user.email} />,
    },
    {
      head: t.code,
      cell: ({ referralCode }) => <code className={styles.mono}>{referralCode}</code>,
    },
    { head: t.users, align: 'end', cell: ({ users }) => numberText(users) },
    {
      head: t.deposits,
      align: 'end',
      cell: ({ totalDeposit }) => <DepositsCell dollars={totalDeposit} most={most} />,
    },
    { head: t.newest, align: 'end', cell: ({ newestAt }) => <DateTime at={newestAt} stacked /> },
    { head: t.open, hideHead: true, align: 'end', cell: referrer => open(referrer) },
  ]
  return (
    <>
      {figures && <SignUpFigureCard figures={figures} />}
      {latest.length > 0 && (
        <div className={styles.perWeek}>
          <SignUpsChart perWeek={perWeek} />
        </div>
      )}
      <div className={styles.codes}>
        <ListTable
          title={t.title}
          cardsBelow={TABLE_PX}
          columns={columns}
          rows={rows}
          rowKey={({ user }) => user._id}
          paging={paging}
          errorNotice={
            failed && (
              <LoadErrorNotice onRetry={retry}>{messageOf(error, t.failed)}</LoadErrorNotice>
            )
          }
          empty={{ title: t.none, text: t.noneText }}
          card={referrer => ({
            title: <AccountLink user={referrer.user} />,
            details: [
              referrer.user.email,
              <span key="code">
                {t.cardCode} <code className={styles.mono}>{referrer.referralCode}</code>
              </span>,
            ],
            aside: [
              <span key="users">{t.signUps(referrer.users)}</span>,
              <span key="deposits">{t.deposited(usdFromDollars(referrer.totalDeposit))}</span>,
              <span key="at">
                {t.cardNewest} <DateTime at={referrer.newestAt} day />
              </span>,
            ],
            actions: (
              <IconButton
                name={t.openOf(referrer.user.name)}
                onClick={() => onPick(referrer.user._id)}
              >
                <IconPencil aria-hidden="true" />
              </IconButton>
            ),
            actionsAt: 'end',
          })}
        />
      </div>
      {latest.length > 0 && (
        <div className={styles.latest}>
          <LatestSignUps signUps={latest.slice(0, Math.max(FEWEST_LATEST, rows?.length ?? 0))} />
        </div>
      )}
    </>
  )
}

/** What a code has brought in, with a bar as long as its part of the most on this page. */
function DepositsCell({ dollars, most }: { dollars: number; most: number }) {
  return (
    <span className={styles.deposits}>
      <Money dollars={dollars} />
      {most > 0 && (
        <span className={styles.track} aria-hidden="true">
          <span className={styles.bar} style={{ inlineSize: `${(100 * dollars) / most}%` }} />
        </span>
      )}
    </span>
  )
}

type SignUpFigures = { codes: number; signUps: number; recent: number }

function SignUpFigureCard({ figures: { codes, signUps, recent } }: { figures: SignUpFigures }) {
  const { figures } = texts
  return (
    <div className={styles.figures}>
      <FigureList
        items={[
          { name: figures.codes, value: numberText(codes) },
          { name: figures.signUps, value: numberText(signUps) },
          { name: figures.recent(RECENT_SIGN_UP_DAYS), value: numberText(recent) },
        ]}
      />
    </div>
  )
}

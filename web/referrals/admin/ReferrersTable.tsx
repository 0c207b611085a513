import { IconPencil } from '@tabler/icons-react'
import { useState } from 'react'
import { numberText } from '#contract/format.ts'
import { usdFromDollars } from '#contract/money.ts'
import { listReferrers, RECENT_SIGN_UP_DAYS } from '#contract/referrals.ts'
import type { Referrer, SignUp } from '#contract/referrals.ts'
import { BarRows } from '#web/charts/BarRows.tsx'
import { ChartCard } from '#web/charts/ChartCard.tsx'
import { shareText } from '#web/charts/series.ts'
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
import { LatestSignUps } from './LatestSignUps.tsx'
import { texts } from './texts.ts'
import styles from './ReferralManagement.module.css'

const t = texts.referrers
const PAGE_SIZE = 10
/** The six columns fit from this width. */
const TABLE_PX = 700
const BARS_PX = 160

/** Users whose codes were used, the most sign-ups first. `onPick`: a user's id. */
export function ReferrersTable({ onPick }: { onPick: (userId: string) => void }) {
  const { _id: adminId } = useUser()
  const [figures, setFigures] = useState<SignUpFigures | null>(null)
  const [latest, setLatest] = useState<SignUp[]>([])
  const { rows, paging, failed, error, retry } = useServerList<Referrer>({
    size: PAGE_SIZE,
    queryKey: page => queryKeys.referrers(adminId, page),
    load: async (page, signal) => {
      const query = { page, limit: PAGE_SIZE }
      const { referrers, totalCount, signUps, recentSignUps, latest } = await send(
        listReferrers,
        { query },
        { signal },
      )
      setFigures({ codes: totalCount, signUps, recent: recentSignUps })
      setLatest(latest)
      return { rows: referrers, total: totalCount }
    },
  })
  const open = ({ user }: Referrer) => (
    <Button size="small" aria-label={t.openOf(user.name)} onClick={() => onPick(user._id)}>
      {t.open}
    </Button>
  )
  const columns: Column<Referrer>[] = [
    { head: t.user, cell: ({ user }) => <TwoLines first={user.name} second={user.email} /> },
    {
      head: t.code,
      cell: ({ referralCode }) => <code className={styles.mono}>{referralCode}</code>,
    },
    { head: t.users, align: 'end', cell: ({ users }) => numberText(users) },
    {
      head: t.deposits,
      align: 'end',
      cell: ({ totalDeposit }) => <Money dollars={totalDeposit} />,
    },
    { head: t.newest, align: 'end', cell: ({ newestAt }) => <DateTime at={newestAt} stacked /> },
    { head: t.open, hideHead: true, align: 'end', cell: referrer => open(referrer) },
  ]
  return (
    <>
      {figures && <SignUpFigureCard figures={figures} />}
      <div className={styles.lists}>
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
            title: referrer.user.name,
            details: [
              referrer.user.email,
              <code key="code" className={styles.mono}>
                {referrer.referralCode}
              </code>,
              <span key="at">
                {t.last} <DateTime at={referrer.newestAt} day />
              </span>,
            ],
            aside: [
              <span key="users">{t.signUps(referrer.users)}</span>,
              <span key="deposits">{t.deposited(usdFromDollars(referrer.totalDeposit))}</span>,
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
        {!failed && rows?.length !== 0 && <DepositBars referrers={rows} />}
      </div>
      {latest.length > 0 && <LatestSignUps signUps={latest} />}
    </>
  )
}

/** What the codes of this page have brought in. */
function DepositBars({ referrers }: { referrers: Referrer[] | undefined }) {
  const { bars } = texts
  const total = referrers?.reduce((sum, { totalDeposit }) => sum + totalDeposit, 0) ?? 0
  return (
    <ChartCard
      title={bars.title}
      heightPx={BARS_PX}
      data={referrers}
      failed={null}
      empty={() => (total === 0 ? { title: bars.none, text: bars.noneText } : null)}
      foldedNote={() => usdFromDollars(total)}
    >
      {rows => (
        <BarRows
          caption={bars.caption}
          heads={[t.user, t.deposits, bars.share]}
          rows={rows
            .toSorted((a, b) => b.totalDeposit - a.totalDeposit)
            .map(({ user, totalDeposit }) => ({
              key: user._id,
              name: user.name,
              value: totalDeposit,
              text: usdFromDollars(totalDeposit),
              detail: shareText(totalDeposit / total),
            }))}
        />
      )}
    </ChartCard>
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

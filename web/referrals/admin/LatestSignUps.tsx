import { usdFromDollars } from '#contract/money.ts'
import { LATEST_SIGN_UPS } from '#contract/referrals.ts'
import type { SignUp } from '#contract/referrals.ts'
import { ListTable } from '#web/ui/ListTable.tsx'
import type { Column } from '#web/ui/ListTable.tsx'
import { usePaging } from '#web/ui/use-paging.ts'
import { DateTime, Money, TwoLines } from '#web/ui/Value.tsx'
import { AccountLink } from './AccountLink.tsx'
import { texts } from './texts.ts'

const t = texts.latest

/** The newest users who signed up with a code of another. */
export function LatestSignUps({ signUps }: { signUps: SignUp[] }) {
  const paging = usePaging({ total: signUps.length, size: LATEST_SIGN_UPS, param: 'latest' })
  return (
    <ListTable
      title={t.title}
      columns={COLUMNS}
      rows={signUps}
      rowKey={({ user }) => user._id}
      paging={paging}
      empty={{ title: texts.none }}
      card={({ user, referrer, totalDeposit, at }) => ({
        title: <AccountLink user={user} />,
        details: [t.invitedBy(referrer.name)],
        aside: [usdFromDollars(totalDeposit), <DateTime key="at" at={at} day />],
      })}
    />
  )
}

const COLUMNS: Column<SignUp>[] = [
  {
    head: t.user,
    cell: ({ user }) => <TwoLines first={<AccountLink user={user} />} second={user.email} />,
  },
  {
    head: t.referrer,
    cell: ({ referrer }) => (
      <TwoLines first={<AccountLink user={referrer} />} second={referrer.email} />
    ),
  },
  { head: t.deposited, align: 'end', cell: ({ totalDeposit }) => <Money dollars={totalDeposit} /> },
  { head: t.at, align: 'end', cell: ({ at }) => <DateTime at={at} stacked /> },
]

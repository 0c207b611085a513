/** What a user sees, for administrators: without signing in as the user, and without anything that changes it. */
import { Navigate, useParams } from 'react-router'
import type { AdminUser } from '#contract/accounts.ts'
import { BackToUsers, ManagedUser } from '#web/accounts/admin/users/ManagedUser.tsx'
import { accountLookPath } from '#web/accounts/admin/users/UserActions.tsx'
import { queryKeys } from '#web/client/query-keys.ts'
import { useUser } from '#web/client/session.ts'
import { AccountLook } from '#web/client/shown-account.tsx'
import { DashboardPage } from '#web/dashboard/DashboardPage.tsx'
import { BalanceOverTime } from '#web/ledger/BalanceOverTime.tsx'
import type { MovementLinks } from '#web/ledger/movement-links.ts'
import { Movements } from '#web/ledger/Movements.tsx'
import { DepositHistory } from '#web/payments/DepositHistory.tsx'
import { LookAddresses } from './LookAddresses.tsx'
import { LookBar } from './LookBar.tsx'
import { LookBatches } from './LookBatches.tsx'
import { LookOrders } from './LookOrders.tsx'
import { LookServices } from './LookServices.tsx'
import { LookSkus } from './LookSkus.tsx'
import { lookPartOf, pathWhileLooking } from './parts.ts'
import type { LookPart } from './parts.ts'
import { texts } from './texts.ts'
import styles from './AccountLook.module.css'

export const AccountLookPage = () => (
  <ManagedUser>{user => <LookAtUser key={user._id} user={user} />}</ManagedUser>
)

function LookAtUser({ user }: { user: AdminUser }) {
  const part = lookPartOf(useParams().part)
  if (!part) return <Navigate to={accountLookPath(user._id)} replace />
  return (
    <AccountLook user={user} pathOf={path => pathWhileLooking(user._id, path)}>
      <div className={styles.page}>
        <BackToUsers />
        <LookBar user={user} part={part} />
        <Part key={part} part={part} user={user} />
      </div>
    </AccountLook>
  )
}

function Part({ part, user }: { part: LookPart; user: AdminUser }) {
  switch (part) {
    case 'dashboard':
      return <DashboardPage />
    case 'orders':
      return <LookOrders />
    case 'batches':
      return <LookBatches />
    case 'wallet':
      return <LookWallet user={user} />
    case 'deposits':
      return <DepositHistory />
    case 'services':
      return <LookServices user={user} />
    case 'addresses':
      return <LookAddresses />
    case 'skus':
      return <LookSkus />
  }
}

const MOVEMENT_LINKS: MovementLinks = {
  order: id => `/admin/order-label-management/${id}`,
  batch: id => `/admin/order-label-management?batchId=${id}`,
}

function LookWallet({ user: { _id: userId, balance, totalDeposit } }: { user: AdminUser }) {
  const { _id: adminId } = useUser()
  return (
    <div className={styles.page}>
      {(balance !== 0 || totalDeposit !== 0) && <BalanceOverTime />}
      <Movements
        userId={userId}
        links={MOVEMENT_LINKS}
        queryKey={(page, filter) => queryKeys.userStatement(adminId, userId, page, filter, balance)}
        empty={{ title: texts.none }}
      />
    </div>
  )
}

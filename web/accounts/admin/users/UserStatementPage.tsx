/** Wallet statement of one user, with links to labels and bulk orders. */
import { IconClipboardList, IconDownload, IconEye, IconTags } from '@tabler/icons-react'
import type { AdminUser } from '#contract/accounts.ts'
import { statementCsv } from '#contract/ledger.ts'
import { usdFromDollars } from '#contract/money.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { urlFor } from '#web/client/send.ts'
import { useUser } from '#web/client/session.ts'
import type { MovementLinks } from '#web/ledger/movement-links.ts'
import { Movements } from '#web/ledger/Movements.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Card, FigureList } from '#web/ui/Card.tsx'
import { BackToUsers, ManagedUser } from './ManagedUser.tsx'
import { texts } from './texts.ts'
import { accountLookPath } from './UserActions.tsx'
import styles from './Users.module.css'

const t = texts.statement

const MOVEMENT_LINKS: MovementLinks = {
  order: id => `/admin/order-label-management/${id}`,
  batch: id => `/admin/order-label-management?batchId=${id}`,
}

export const UserStatementPage = () => (
  <ManagedUser>{user => <UserStatement user={user} />}</ManagedUser>
)

function UserStatement({ user }: { user: AdminUser }) {
  const { _id: adminId } = useUser()
  const { _id: userId, name, email, balance, held, totalDeposit, totalSpent } = user
  const file = urlFor(statementCsv, { params: { userId } })
  const figures = [
    { name: t.balance, value: balance },
    { name: t.held, value: held },
    { name: t.deposited, value: totalDeposit },
    { name: t.spent, value: totalSpent },
  ]
  return (
    <div className={styles.page}>
      <BackToUsers />
      <Card title={t.user(name)} className={styles.wallet}>
        <p className={styles.email}>{email}</p>
        <FigureList
          items={figures.map(each => ({ name: each.name, value: usdFromDollars(each.value) }))}
        />
        <div className={styles.links}>
          <ButtonLink href={file} target="_blank" icon={<IconDownload aria-hidden="true" />}>
            {t.file}
          </ButtonLink>
          <ButtonLink
            href={urlFor(statementCsv, { params: { userId }, query: { format: 'xlsx' } })}
            target="_blank"
            icon={<IconDownload aria-hidden="true" />}
          >
            {t.workbook}
          </ButtonLink>
          <ButtonLink to={accountLookPath(userId)} icon={<IconEye aria-hidden="true" />}>
            {texts.menu.look}
          </ButtonLink>
          <ButtonLink
            to={`/admin/order-label-management?userId=${userId}`}
            icon={<IconTags aria-hidden="true" />}
          >
            {t.labels}
          </ButtonLink>
          <ButtonLink
            to={`/admin/audit?userId=${userId}`}
            icon={<IconClipboardList aria-hidden="true" />}
          >
            {t.audit}
          </ButtonLink>
        </div>
      </Card>
      {/* The query key holds the balance: when it changes, the statement is loaded again. */}
      <Movements
        userId={userId}
        links={MOVEMENT_LINKS}
        queryKey={(page, filter) => queryKeys.userStatement(adminId, userId, page, filter, balance)}
        empty={{ title: t.none, text: t.noneText }}
      />
    </div>
  )
}

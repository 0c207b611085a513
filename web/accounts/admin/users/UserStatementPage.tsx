/** Wallet statement of one user, with links to labels and bulk orders. */
import { IconArrowLeft, IconClipboardList, IconDownload, IconTags } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import { isId } from '#contract/endpoint.ts'
import { statementCsv } from '#contract/ledger.ts'
import { usdFromDollars } from '#contract/money.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { urlFor } from '#web/client/send.ts'
import { useUser } from '#web/client/session.ts'
import type { MovementLinks } from '#web/ledger/movement-links.ts'
import { Movements } from '#web/ledger/Movements.tsx'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { Card, FigureList } from '#web/ui/Card.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { Notice } from '#web/ui/ErrorLine.tsx'
import { PageLoader } from '#web/ui/Skeleton.tsx'
import { texts } from './texts.ts'
import { fetchUser } from './use-users.ts'
import styles from './Users.module.css'

const t = texts.statement

const MOVEMENT_LINKS: MovementLinks = {
  order: id => `/admin/order-label-management/${id}`,
  batch: id => `/admin/order-label-management?batchId=${id}`,
}

export function UserStatementPage() {
  const { userId = '' } = useParams()
  return isId(userId) ? <UserStatement userId={userId} /> : <UserNotFound />
}

function UserStatement({ userId }: { userId: string }) {
  const { _id: adminId } = useUser()
  const {
    data: user,
    error,
    refetch,
  } = useQuery({
    queryKey: queryKeys.managedUser(adminId, userId),
    queryFn: ({ signal }) => fetchUser(userId, signal),
  })
  if (user === null) return <UserNotFound />
  if (!user) {
    const retry = (
      <Button size="small" onClick={() => void refetch()}>
        {texts.tryAgain}
      </Button>
    )
    return error ? (
      <Notice tone="red" action={retry}>
        {t.failed}
      </Notice>
    ) : (
      <PageLoader />
    )
  }
  const { name, email, balance, held, totalDeposit, totalSpent } = user
  const file = urlFor(statementCsv, { params: { userId } })
  const figures = [
    { name: t.balance, value: balance },
    { name: t.held, value: held },
    { name: t.deposited, value: totalDeposit },
    { name: t.spent, value: totalSpent },
  ]
  return (
    <div className={styles.page}>
      <BackLink />
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

const BackLink = () => (
  <Link to="/admin/user-management" className={styles.back}>
    <IconArrowLeft aria-hidden="true" />
    {t.back}
  </Link>
)

function UserNotFound() {
  return (
    <EmptyState
      heading="h2"
      title={t.notFound}
      text={t.notFoundText}
      action={
        <ButtonLink to="/admin/user-management" kind="ink">
          {t.back}
        </ButtonLink>
      }
    />
  )
}

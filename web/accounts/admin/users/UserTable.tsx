/**
 * Seven users per page. A wide row is edited in place; otherwise rows are edited in the side panel.
 */
import { IconUserPlus, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { AdminUser, UserSort } from '#contract/accounts.ts'
import { usdFromDollars } from '#contract/money.ts'
import { Button, IconButton } from '#web/ui/Button.tsx'
import { DotLine } from '#web/ui/DotLine.tsx'
import { LoadErrorNotice } from '#web/ui/ErrorLine.tsx'
import { Form } from '#web/ui/Form.tsx'
import type { SortKey } from '#web/ui/HeadCell.tsx'
import { ListTable } from '#web/ui/ListTable.tsx'
import type { Column } from '#web/ui/ListTable.tsx'
import type { RowCard } from '#web/ui/RowCards.tsx'
import { StatusPill } from '#web/ui/StatusPill.tsx'
import { useIsPhone, useIsWide } from '#web/ui/use-viewport.ts'
import { DateTime, Money, TwoLines } from '#web/ui/Value.tsx'
import { BalanceFields, ReferralCodeField, RoleField } from './fields.tsx'
import type { useSelectedUsers } from './SelectedUsers.tsx'
import { texts } from './texts.ts'
import type { UserEdit } from './use-user-edit.ts'
import type { useUsers } from './use-users.ts'
import { accountLookPath, UserActions } from './UserActions.tsx'
import type { UserAction } from './UserActions.tsx'
import { UserFilters } from './UserFilters.tsx'
import styles from './Users.module.css'

const exists = ({ deleted }: AdminUser): boolean => !deleted

const sortBy = (by: UserSort, first: SortKey['firstOrder']): SortKey => ({ by, firstOrder: first })

type UserTableProps = {
  users: ReturnType<typeof useUsers>
  edit: UserEdit
  ownId: string
  onAction: (action: UserAction, user: AdminUser) => void
  onInvite: () => void
  selection: ReturnType<typeof useSelectedUsers>['selection']
}

export function UserTable({ users, edit, ownId, onAction, onInvite, selection }: UserTableProps) {
  const wide = useIsWide()
  const phone = useIsPhone()
  const { rows, total, paging, failed, retry, narrowed, clear, sorting } = users
  const { ids } = edit.row
  const { none, noneFound } = texts
  const { columns: heads } = texts
  const editing = (user: AdminUser): boolean => wide && user._id === edit.base?._id

  const cell =
    (
      view: (user: AdminUser) => ReactNode,
      fields: (user: AdminUser) => ReactNode,
      canEdit: (user: AdminUser) => boolean = () => true,
    ) =>
    (user: AdminUser) =>
      editing(user) && canEdit(user) ? (
        <div className={styles.cell}>{fields(user)}</div>
      ) : (
        <span className={styles.slot}>{view(user)}</span>
      )
  const field = { edit, form: ids.form, hideLabel: true }
  const actions = (user: AdminUser, inMenu = false) => (
    <UserActions
      user={user}
      inMenu={inMenu}
      own={user._id === ownId}
      editId={ids.button(user._id)}
      onEdit={() => edit.begin(user)}
      onAction={action => onAction(action, user)}
    />
  )
  const columns: Column<AdminUser>[] = [
    {
      head: heads.user,
      share: 22,
      sort: sortBy('name', 'asc'),
      cell: user => <UserCell user={user} />,
    },
    {
      head: heads.role,
      share: 8,
      sort: sortBy('role', 'asc'),
      cell: cell(
        ({ user_role }) => texts.roles[user_role],
        ({ _id }) => <RoleField {...field} id={ids.first} own={_id === ownId} />,
        exists,
      ),
    },
    {
      head: heads.balance,
      align: 'end',
      share: 9,
      sort: sortBy('balance', 'desc'),
      cell: cell(
        user => <BalanceCell user={user} />,
        ({ _id, deleted }) => (
          <BalanceFields {...field} id={deleted ? ids.first : undefined} own={_id === ownId} />
        ),
      ),
    },
    {
      head: heads.code,
      share: 12,
      cell: cell(
        ({ referralCode }) => <span className={styles.code}>{referralCode}</span>,
        () => <ReferralCodeField {...field} />,
        exists,
      ),
    },
    {
      head: heads.deposited,
      align: 'end',
      share: 10,
      sort: sortBy('totalDeposit', 'desc'),
      cell: ({ totalDeposit }) => <Money dollars={totalDeposit} />,
    },
    {
      head: heads.spent,
      align: 'end',
      share: 10,
      sort: sortBy('totalSpent', 'desc'),
      cell: ({ totalSpent }) => <Money dollars={totalSpent} />,
    },
    {
      head: heads.status,
      share: 9,
      sort: sortBy('activation', 'desc'),
      cell: user => <StatusOf user={user} />,
    },
    {
      head: heads.joined,
      align: 'end',
      share: 10,
      sort: sortBy('createdAt', 'desc'),
      cell: ({ createdAt }) => <DateTime stacked at={createdAt} />,
    },
    {
      head: heads.actions,
      hideHead: true,
      align: 'end',
      cell: user =>
        editing(user) ? (
          <Form id={ids.form} className={styles.actions} onSubmit={edit.save}>
            <Button kind="ink" size="small" type="submit" busy={edit.draft.busy}>
              {texts.edit.save}
            </Button>
            <IconButton name={texts.edit.cancel} outline onClick={edit.stop}>
              <IconX aria-hidden="true" />
            </IconButton>
          </Form>
        ) : (
          actions(user)
        ),
    },
  ]

  return (
    <ListTable
      title={texts.title}
      action={
        <Button icon={phone ? undefined : <IconUserPlus aria-hidden="true" />} onClick={onInvite}>
          {texts.invite.button}
        </Button>
      }
      columns={columns}
      rows={rows}
      rowKey={({ _id }) => _id}
      paging={paging}
      sorting={sorting}
      selection={selection}
      loadingText={texts.loading}
      note={total === undefined ? null : texts.count(total)}
      filters={<UserFilters users={users} />}
      errorNotice={failed && <LoadErrorNotice onRetry={retry}>{texts.failed.load}</LoadErrorNotice>}
      empty={
        narrowed
          ? {
              title: noneFound.title,
              text: noneFound.text,
              action: <Button onClick={clear}>{noneFound.clear}</Button>,
            }
          : none
      }
      card={(user, wide) => ({
        ...userCard(user, wide),
        actions: actions(user, !wide),
      })}
    />
  )
}

function userCard(user: AdminUser, wide: boolean): RowCard {
  const { email, user_role: role, referralCode, totalDeposit, totalSpent } = user
  const name = <AccountLink key="name" user={user} />
  const code = (
    <span key="code" className={styles.code}>
      {referralCode}
    </span>
  )
  const joined = (
    <span key="joined">
      {texts.card.joined} <DateTime at={user.createdAt} day />
    </span>
  )
  const money = [
    texts.card.deposited(usdFromDollars(totalDeposit)),
    texts.card.spent(usdFromDollars(totalSpent)),
  ]
  return {
    title: wide || role === 'user' ? name : <DotLine parts={[name, texts.roles[role]]} />,
    details: wide
      ? [email, texts.roles[role]]
      : [
          email,
          totalDeposit === 0 && totalSpent === 0
            ? texts.card.noDeposits
            : totalSpent === 0
              ? texts.card.deposited(usdFromDollars(totalDeposit))
              : spentOfText(user),
        ],
    middle: wide
      ? [
          <DotLine key="money" className={styles.figures} parts={money} />,
          <DotLine key="joined" className={styles.joined} parts={[joined, code]} />,
        ]
      : [],
    aside: [<BalanceCell key="balance" user={user} />, <StatusOf key="status" user={user} />],
    actionsAt: wide ? 'aside' : 'end',
  }
}

/** On one line: nothing stands at its end, unless a held amount makes the figures a line longer. */
const spentOfText = ({ totalDeposit, totalSpent, held }: AdminUser) => (
  <span key="spent" className={held > 0 ? undefined : styles.oneLine}>
    {texts.card.spentOf(usdFromDollars(totalSpent), usdFromDollars(totalDeposit))}
  </span>
)

const AccountLink = ({ user: { _id, name } }: { user: AdminUser }) => (
  <Link to={accountLookPath(_id)} className={styles.accountLink}>
    {name}
  </Link>
)

function UserCell({ user }: { user: AdminUser }) {
  return (
    <span className={styles.person}>
      <TwoLines first={<AccountLink user={user} />} second={user.email} />
    </span>
  )
}

function StatusOf({ user: { activation, invited, deleted } }: { user: AdminUser }) {
  if (deleted) return <StatusPill tone="neutral">{texts.status.deleted}</StatusPill>
  if (activation === 'block') return <StatusPill tone="red">{texts.status.block}</StatusPill>
  if (invited) return <StatusPill tone="blue">{texts.invited}</StatusPill>
  return <StatusPill tone="green">{texts.status.allow}</StatusPill>
}

function BalanceCell({ user: { balance, held } }: { user: AdminUser }) {
  const amount = usdFromDollars(balance)
  return (
    <span className={styles.balance}>
      {held > 0 ? <TwoLines first={amount} second={texts.held(usdFromDollars(held))} /> : amount}
    </span>
  )
}

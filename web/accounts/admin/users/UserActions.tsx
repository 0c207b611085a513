import {
  IconAdjustmentsDollar,
  IconClipboardList,
  IconEye,
  IconLock,
  IconLockOpen,
  IconLogin2,
  IconMailCog,
  IconMailForward,
  IconMailOff,
  IconPassword,
  IconPencil,
  IconReceipt,
  IconTags,
  IconTrash,
} from '@tabler/icons-react'
import type { AdminUser } from '#contract/accounts.ts'
import { ActionMenu } from '#web/ui/ActionMenu.tsx'
import type { MenuAction } from '#web/ui/ActionMenu.tsx'
import { Button } from '#web/ui/Button.tsx'
import { texts } from './texts.ts'
import styles from './Users.module.css'

/** Actions that open a dialog. */
export type UserAction =
  | 'logIn'
  | 'services'
  | 'correctEmail'
  | 'resetLink'
  | 'resendInvitation'
  | 'cancelInvitation'
  | 'activation'
  | 'remove'

export const removesUser = (action: UserAction): boolean =>
  action === 'remove' || action === 'cancelInvitation'

/** The page that shows an administrator what a user sees; `part` of it. */
export const accountLookPath = (userId: string, part?: string): string =>
  `/admin/user-management/${userId}/account${part ? `/${part}` : ''}`

/** Why an administrator cannot sign in as this user; null if they can. */
export function noLogInReason(
  { user_role, activation, invited, deleted }: AdminUser,
  own: boolean,
): string | null {
  const { menu } = texts
  if (deleted) return menu.deleted
  if (own) return menu.yourself
  if (user_role === 'admin') return menu.administrator
  if (activation === 'block') return menu.blocked
  return invited ? menu.noPassword : null
}

/** Element id of the menu in a user's row. */
export const menuIdOf = (userId: string): string => `user-menu-${userId}`

type UserActionsProps = {
  user: AdminUser
  own: boolean
  /** Editing is the first line of the menu, where a card has no room for a button. */
  inMenu: boolean
  editId: string
  onEdit: () => void
  onAction: (action: UserAction) => void
}

export function UserActions({ user, own, inMenu, editId, onEdit, onAction }: UserActionsProps) {
  const edit: MenuAction = { text: texts.edit.edit, icon: IconPencil, onClick: onEdit }
  return (
    <span className={styles.actions}>
      {!inMenu && (
        <Button size="small" id={editId} aria-description={user.name} onClick={onEdit}>
          {texts.edit.edit}
        </Button>
      )}
      <ActionMenu
        id={inMenu ? editId : menuIdOf(user._id)}
        name={texts.actionsOf(user.name)}
        actions={[...(inMenu ? [edit] : []), ...actionsFor(user, own, onAction)]}
      />
    </span>
  )
}

function actionsFor(
  user: AdminUser,
  own: boolean,
  onAction: (action: UserAction) => void,
): MenuAction[] {
  const { _id, activation, held } = user
  const { menu } = texts
  const blocked = activation === 'block'
  const yourself = own ? menu.yourself : null
  const books: MenuAction[] = [
    {
      text: menu.statement,
      icon: IconReceipt,
      to: `/admin/user-management/${_id}/statement`,
      dividerBefore: true,
    },
    { text: menu.labels, icon: IconTags, to: `/admin/order-label-management?userId=${_id}` },
    { text: menu.audit, icon: IconClipboardList, to: `/admin/audit?userId=${_id}` },
  ]
  const look: MenuAction = { text: menu.look, icon: IconEye, to: accountLookPath(_id) }
  if (user.deleted) return [look, ...books]
  return [
    {
      text: menu.logIn,
      icon: IconLogin2,
      disabledReason: noLogInReason(user, own),
      onClick: () => onAction('logIn'),
    },
    look,
    { text: menu.services, icon: IconAdjustmentsDollar, onClick: () => onAction('services') },
    ...books,
    ...emailActions(user, onAction),
    {
      text: blocked ? menu.allow : menu.block,
      icon: blocked ? IconLockOpen : IconLock,
      disabledReason: yourself,
      dividerBefore: true,
      onClick: () => onAction('activation'),
    },
    {
      text: menu.remove,
      icon: IconTrash,
      danger: true,
      disabledReason: yourself ?? (held > 0 ? menu.underWay : null),
      onClick: () => onAction('remove'),
    },
  ]
}

function emailActions(
  { user_role, activation, invited }: AdminUser,
  onAction: (action: UserAction) => void,
): MenuAction[] {
  const { menu } = texts
  const blocked = activation === 'block' ? menu.blocked : null
  const correct: MenuAction = {
    text: menu.correctEmail,
    icon: IconMailCog,
    disabledReason: user_role === 'admin' ? menu.ownEmail : invited ? blocked : null,
    dividerBefore: true,
    onClick: () => onAction('correctEmail'),
  }
  if (invited)
    return [
      correct,
      {
        text: menu.resendInvitation,
        icon: IconMailForward,
        disabledReason: blocked,
        onClick: () => onAction('resendInvitation'),
      },
      {
        text: menu.cancelInvitation,
        icon: IconMailOff,
        onClick: () => onAction('cancelInvitation'),
      },
    ]
  return [
    correct,
    {
      text: menu.resetLink,
      icon: IconPassword,
      disabledReason: blocked,
      onClick: () => onAction('resetLink'),
    },
  ]
}

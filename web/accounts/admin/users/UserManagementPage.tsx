/** User management: every user, with the changes that an administrator may make. */
import { useUser } from '#web/client/session.ts'
import { Notice } from '#web/ui/ErrorLine.tsx'
import { toastError } from '#web/ui/toasts.ts'
import { useOpened } from '#web/ui/use-opened.ts'
import { leaveOrAsk } from '#web/ui/use-unsaved-changes-guard.ts'
import { useIsWide } from '#web/ui/use-viewport.ts'
import { ConfirmChanges, ConfirmLeaving } from './ConfirmChanges.tsx'
import { EditPanel } from './EditPanel.tsx'
import { InviteUserDialog } from './EmailDialogs.tsx'
import { useSelectedUsers } from './SelectedUsers.tsx'
import { texts } from './texts.ts'
import { useUserEdit } from './use-user-edit.ts'
import { reloadUsers, useUsers } from './use-users.ts'
import { menuIdOf, removesUser } from './UserActions.tsx'
import { UserDialogs } from './UserDialogs.tsx'
import type { PendingAction } from './UserDialogs.tsx'
import { UserTable } from './UserTable.tsx'
import styles from './Users.module.css'

export function UserManagementPage() {
  const { _id: ownId } = useUser()
  const wide = useIsWide()
  const users = useUsers()
  const edit = useUserEdit()
  const pending = useOpened<PendingAction>()
  const invitation = useOpened<{ isNew: true }>()
  const close = (one: PendingAction) => {
    // Focuses the menu that opened the dialog. If its row is gone, the list gets the focus.
    if (!pending.close(one)) return
    const { _id: id } = one.user
    requestAnimationFrame(() =>
      (
        document.getElementById(menuIdOf(id)) ?? document.getElementById(edit.row.ids.button(id))
      )?.focus(),
    )
  }
  const inviting = invitation.opened
  const refresh = () => void reloadUsers(ownId).catch(() => toastError(texts.failed.refresh))
  const { selection, dialog: severalDialog } = useSelectedUsers(users.rows, ownId, refresh)
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- listens for Escape of the fields inside
    <div onKeyDown={event => edit.row.cancelOnEscape(event, edit.stop)} className={styles.page}>
      {wide && edit.draft.formError && <Notice tone="red">{edit.draft.formError}</Notice>}
      {wide && edit.notice && <Notice tone="yellow">{edit.notice}</Notice>}
      <UserTable
        users={users}
        edit={edit}
        ownId={ownId}
        onInvite={() => invitation.open({ isNew: true })}
        selection={selection}
        onAction={(action, user) => {
          const act = () => pending.open({ action, user })
          // Signing in as a user leaves this page.
          if (action === 'logIn') leaveOrAsk(act)
          else act()
        }}
      />
      {severalDialog}
      {inviting && (
        <InviteUserDialog
          onClose={() => invitation.close(inviting)}
          onDone={() => {
            invitation.close(inviting)
            refresh()
          }}
        />
      )}
      {!wide && <EditPanel edit={edit} ownId={ownId} />}
      <ConfirmChanges edit={edit} />
      <ConfirmLeaving edit={edit} />
      <UserDialogs
        pending={pending.opened}
        onDone={() => {
          if (pending.opened && removesUser(pending.opened.action))
            selection.setSelected([pending.opened.user], false)
          refresh()
        }}
        onClose={close}
      />
    </div>
  )
}

/** Blocks or allows several users: one confirmation, one call for each, and what failed by name. */
import { useState } from 'react'
import { setUserActivation } from '#contract/accounts.ts'
import type { Activation, AdminUser } from '#contract/accounts.ts'
import { messageOf, send } from '#web/client/send.ts'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDialog } from '#web/ui/Dialog.tsx'
import { toastSuccess } from '#web/ui/toasts.ts'
import { useSelection } from '#web/ui/use-selection.ts'
import type { Selection } from '#web/ui/use-selection.ts'
import { texts } from './texts.ts'
import styles from './Users.module.css'

const t = texts.several

/** For ListTable: administrators cannot select themselves. */
export function useSelectedUsers(
  rows: readonly AdminUser[] | undefined,
  ownId: string,
  onDone: () => void,
) {
  const [asked, setAsked] = useState<Activation | null>(null)
  const selection = useSelection<AdminUser>({
    pageRows: rows,
    keyOf: ({ _id }) => _id,
    canSelect: ({ _id, deleted }) => _id !== ownId && !deleted,
    rowLabelFor: ({ name, email }) => t.select(name || email),
    selectAllLabel: t.selectAll,
  })
  const countOf = (activation: Activation) =>
    selection.rows.filter(user => user.activation !== activation).length
  const button = (activation: Activation) =>
    countOf(activation) > 0 && (
      <Button size="small" onClick={() => setAsked(activation)}>
        {t.act[activation](countOf(activation))}
      </Button>
    )
  return {
    selection: {
      ...selection,
      summary: t.selected(selection.rows.length),
      actions: (
        <>
          {button('block')}
          {button('allow')}
        </>
      ),
    },
    dialog: asked && (
      <SeveralDialog
        activation={asked}
        selection={selection}
        onChanged={onDone}
        onClose={() => setAsked(null)}
      />
    ),
  }
}

function SeveralDialog({
  activation,
  selection,
  onChanged,
  onClose,
}: {
  activation: Activation
  selection: Selection<AdminUser>
  onChanged: () => void
  onClose: () => void
}) {
  // Users who have changed leave the selection, so a second press only tries those that failed.
  const users = selection.rows.filter(user => user.activation !== activation)
  const submit = async () => {
    const failed: string[] = []
    const changed: AdminUser[] = []
    for (const user of users) {
      try {
        await send(setUserActivation, { params: { userId: user._id }, body: { activation } })
        changed.push(user)
      } catch (reason) {
        failed.push(`${user.name || user.email}: ${messageOf(reason, texts.edit.failed)}`)
      }
    }
    selection.setSelected(changed, false)
    onChanged()
    if (changed.length > 0) toastSuccess(t.done[activation](changed.length))
    if (failed.length > 0) throw new Error(failed.join(' '))
    onClose()
  }
  return (
    <ConfirmDialog
      opened
      question={t.question[activation](users.length)}
      confirmLabel={texts[activation].confirm}
      kind={activation === 'block' ? 'danger' : 'ink'}
      description={
        <div className={styles.consequences}>
          <p>{t.consequence[activation]}</p>
          <ul className={styles.names}>
            {users.map(user => (
              <li key={user._id}>
                {user.name} · {user.email}
              </li>
            ))}
          </ul>
        </div>
      }
      onConfirm={submit}
      onCancel={onClose}
    />
  )
}

import { ConfirmDialog } from '#web/ui/Dialog.tsx'
import { Notice } from '#web/ui/ErrorLine.tsx'
import { signedMoneyText } from '#web/ui/money-text.ts'
import { texts } from './texts.ts'
import type { UserEdit } from './use-user-edit.ts'
import { changeLines } from './user-changes.ts'
import styles from './Users.module.css'

/** Asks before unsaved changes are discarded. */
export function ConfirmLeaving({ edit: { base, guard } }: { edit: UserEdit }) {
  const { confirmDiscard, discard, keep } = texts.edit
  return (
    <ConfirmDialog
      opened={guard.asking}
      question={confirmDiscard}
      description={base && texts.nameAndEmail(base.name, base.email)}
      confirmLabel={discard}
      cancelLabel={keep}
      onConfirm={guard.discard}
      onCancel={guard.keep}
    />
  )
}

/** Lists each change before it is saved: from, to, difference. */
export function ConfirmChanges({
  edit: { base, changesToConfirm, balanceRequest, confirm, cancelConfirm },
}: {
  edit: UserEdit
}) {
  const description = base && changesToConfirm && (
    <>
      <p className={styles.user}>{texts.nameAndEmail(base.name, base.email)}</p>
      <dl className={styles.changes}>
        {changeLines(changesToConfirm, base).map(({ name, change, more, note }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {change}
              {more && (
                <>
                  {' '}
                  <span className={styles.difference}>{more}</span>
                </>
              )}
              {note && <p className={styles.note}>{note}</p>}
            </dd>
          </div>
        ))}
      </dl>
      {changesToConfirm.balance && balanceRequest && (
        <Notice tone="yellow">
          {balanceRequest.mine
            ? texts.edit.replaces(signedMoneyText(balanceRequest.difference))
            : texts.edit.alreadyWaiting(
                signedMoneyText(balanceRequest.difference),
                balanceRequest.askedBy.name,
              )}
        </Notice>
      )}
    </>
  )
  return (
    <ConfirmDialog
      opened={changesToConfirm !== null}
      question={texts.edit.question}
      description={description}
      kind="ink"
      confirmLabel={texts.edit.confirm}
      onConfirm={confirm}
      onCancel={cancelConfirm}
    />
  )
}

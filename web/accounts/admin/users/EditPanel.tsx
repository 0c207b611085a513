import { Button } from '#web/ui/Button.tsx'
import { SidePanel } from '#web/ui/Dialog.tsx'
import { DotLine } from '#web/ui/DotLine.tsx'
import { ErrorLine } from '#web/ui/ErrorLine.tsx'
import { Form } from '#web/ui/Form.tsx'
import { DateTime } from '#web/ui/Value.tsx'
import { BalanceFields, ReferralCodeField, RoleField } from './fields.tsx'
import { texts } from './texts.ts'
import type { UserEdit } from './use-user-edit.ts'
import styles from './Users.module.css'

/** Edits a user in a side panel, where a table row has no room for fields. */
export function EditPanel({ edit, ownId }: { edit: UserEdit; ownId: string }) {
  const { base, draft, notice, save, stop } = edit
  return (
    <SidePanel opened={base !== null} onClose={stop} title={texts.edit.title(base?.name ?? '')}>
      <Form onSubmit={save} className={styles.form}>
        <p className={styles.email}>
          {base && (
            <DotLine
              parts={[
                base.email,
                <span key="joined">
                  {texts.card.joined} <DateTime at={base.createdAt} day />
                </span>,
              ]}
            />
          )}
        </p>
        {!base?.deleted && <RoleField edit={edit} own={base?._id === ownId} />}
        <BalanceFields edit={edit} own={base?._id === ownId} />
        {!base?.deleted && <ReferralCodeField edit={edit} />}
        <ErrorLine>{draft.formError}</ErrorLine>
        <ErrorLine>{notice}</ErrorLine>
        <div className={styles.buttons}>
          <Button size="large" onClick={stop}>
            {texts.edit.cancel}
          </Button>
          <Button kind="ink" size="large" type="submit" busy={draft.busy}>
            {texts.edit.save}
          </Button>
        </div>
      </Form>
    </SidePanel>
  )
}

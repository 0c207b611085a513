/** Emails that wait for over 5 minutes or could not be sent, with buttons to try again or cancel. */
import { cancelMail, listMails, retryMail } from '#contract/mails.ts'
import type { OpenMail } from '#contract/mails.ts'
import { send } from '#web/client/send.ts'
import { Button } from '#web/ui/Button.tsx'
import { DateTime } from '#web/ui/Value.tsx'
import { TASKS_PAGE_SIZE, Task, TaskList } from './TaskList.tsx'
import { texts } from './texts.ts'
import { useTaskAction } from './use-task-action.ts'
import styles from './AdminDashboard.module.css'

const t = texts.mails

const loadMails = async (page: number, signal: AbortSignal) =>
  (await send(listMails, { query: { page, limit: TASKS_PAGE_SIZE, due: 'overdue' } }, { signal }))
    .mails

export function MailTasks({ total, onDone }: { total: number; onDone: () => void }) {
  return (
    <TaskList
      kind="mails"
      title={t.title(total)}
      total={total}
      load={loadMails}
      failed={t.loadFailed}
    >
      {mail => <MailTask key={mail._id} mail={mail} onDone={onDone} />}
    </TaskList>
  )
}

function MailTask({ mail, onDone }: { mail: OpenMail; onDone: () => void }) {
  const { busy, run } = useTaskAction<'retry' | 'cancel'>(onDone)
  const params = { id: mail._id }
  const recipient = mail.recipient ?? mail.user?.email ?? t.erased
  const drop = mail.failed ? t.remove : t.cancel
  return (
    <Task
      title={mail.kind}
      user={mail.user}
      detail={t.detail(recipient, mail.attempts, mail.why)}
      at={mail.since}
      action={
        <>
          <p className={styles.quiet}>
            {mail.nextAttempt ? (
              <>
                {t.next} <DateTime at={mail.nextAttempt} />, {t.until}{' '}
                <DateTime at={mail.expires} />
              </>
            ) : (
              t.failedForGood
            )}
          </p>
          <div className={styles.decisions}>
            {mail.retryable && (
              <Button
                size="small"
                busy={busy === 'retry'}
                aria-label={t.nameOf(t.retry, mail.kind, recipient)}
                onClick={() => run('retry', send(retryMail, { params }), t.retryFailed)}
              >
                {t.retry}
              </Button>
            )}
            <Button
              size="small"
              busy={busy === 'cancel'}
              aria-label={t.nameOf(drop, mail.kind, recipient)}
              onClick={() => run('cancel', send(cancelMail, { params }), t.cancelFailed)}
            >
              {drop}
            </Button>
          </div>
        </>
      }
    />
  )
}

import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { RefObject } from 'react'
import { Link, useSearchParams } from 'react-router'
import {
  MESSAGE_MAX,
  readPage,
  sendMessage,
  sendVisitorMessage,
  SUBJECT_MAX,
  SUPPORT_TOPICS,
  VISITOR_NAME_MAX,
} from '#contract/support.ts'
import { attemptFor } from '#web/client/attempt.ts'
import type { Attempt } from '#web/client/attempt.ts'
import { usePublicSettings } from '#web/client/public-settings.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { send } from '#web/client/send.ts'
import { useSession } from '#web/client/session.ts'
import { useFormDraft } from '#web/client/use-form-draft.ts'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { ConfirmDialog } from '#web/ui/Dialog.tsx'
import { ErrorLine, LoadErrorNotice, Notice } from '#web/ui/ErrorLine.tsx'
import { NativeSelectField, TextAreaField, TextField } from '#web/ui/Field.tsx'
import { focusFirstError, Form } from '#web/ui/Form.tsx'
import { PageLoader } from '#web/ui/Skeleton.tsx'
import { toastSuccess } from '#web/ui/toasts.ts'
import { useUnsavedChangesGuard } from '#web/ui/use-unsaved-changes-guard.ts'
import {
  CONTACT_LABELS,
  contactErrors,
  contactFields,
  contactStart,
  messageHint,
  chosenTopic,
} from './contact-form.ts'
import type { ContactForm } from './contact-form.ts'
import { suggestQuestions } from './help.ts'
import { PublicFrame } from './PublicFrame.tsx'
import { texts } from './texts.ts'
import helpStyles from './Help.module.css'
import styles from './Support.module.css'

const t = texts.form

const TOPICS = [
  { value: '', label: t.chooseTopic },
  ...Object.entries(SUPPORT_TOPICS).map(([value, label]) => ({ value, label })),
]

/** Of common questions. */
const SUGGESTIONS = 6

/** `?topic=` and `?subject=` fill in the form. Also for visitors, and so for customers whose account is blocked. */
export function ContactPage() {
  const { data: settings, isError, refetch } = usePublicSettings()
  const checking = useSession(session => session.state === 'checking')
  // After the first check the form stays: another tab may sign in while a message is being written.
  const [wasChecked, setChecked] = useState(!checking)
  if (!checking && !wasChecked) setChecked(true)
  const [sent, setSent] = useState<string | null>(null)
  const [isAnother, setAnother] = useState(false)
  const writeAnother = () => {
    setAnother(true)
    setSent(null)
  }
  const email = settings?.support.email
  return (
    <PublicFrame title={t.title} wide>
      {!settings ? (
        isError ? (
          <LoadErrorNotice onRetry={() => void refetch()}>{texts.failed}</LoadErrorNotice>
        ) : (
          <PageLoader />
        )
      ) : !email ? (
        <Unavailable
          // The example does not say how to reach them.
          hasHelp={settings.support.pages.some(
            ({ slug, isExample }) => slug === 'help' && !isExample,
          )}
        />
      ) : !wasChecked ? (
        <PageLoader />
      ) : sent ? (
        <>
          <Notice tone="green" takesFocus>
            {sent}
          </Notice>
          <Button className={styles.start} onClick={writeAnother}>
            {t.another}
          </Button>
        </>
      ) : (
        <>
          <p className={styles.lead}>{t.lead(settings.support.replyTime)}</p>
          <div className={styles.contact}>
            <Card>
              <MessageForm onSent={setSent} takesFocus={isAnother} />
            </Card>
            <Aside email={email} />
          </div>
        </>
      )}
    </PublicFrame>
  )
}

/** Questions whose answers need no waiting, and the address. */
function Aside({ email }: { email: string }) {
  const help = useQuery({
    queryKey: queryKeys.operatorPage('help'),
    queryFn: () => send(readPage, { params: { slug: 'help' } }),
    retry: false,
  })
  const questions = suggestQuestions(help.data?.sections ?? [], [], SUGGESTIONS)
  return (
    <aside className={styles.aside} aria-label={t.otherWays}>
      {questions.length > 0 && (
        <>
          <h2>{t.atOnce}</h2>
          <ul className={helpStyles.suggestions}>
            {questions.map(({ id, title }) => (
              <li key={id}>
                <Link to={`/help#${id}`}>{title}</Link>
              </li>
            ))}
          </ul>
          <ButtonLink className={styles.allAnswers} to="/help">
            {t.moreAnswers}
          </ButtonLink>
        </>
      )}
      <h2>{t.orWrite}</h2>
      <p>
        <a href={`mailto:${email}`}>{email}</a>
      </p>
    </aside>
  )
}

const Unavailable = ({ hasHelp }: { hasHelp: boolean }) => (
  <>
    <h2>{texts.unavailable}</h2>
    <p className={styles.lead}>{hasHelp ? texts.unavailableText : texts.unavailableAlone}</p>
    {hasHelp && (
      <ButtonLink to="/help" className={styles.start}>
        {texts.toHelp}
      </ButtonLink>
    )}
  </>
)

type MessageFormProps = { onSent: (message: string) => void; takesFocus: boolean }

function MessageForm({ onSent, takesFocus }: MessageFormProps) {
  const user = useSession(session => session.user)
  const [search] = useSearchParams()
  const formElement = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (takesFocus) formElement.current?.querySelector<HTMLElement>('input, select')?.focus()
  }, [takesFocus])
  // The same id at each try: a message whose answer was lost arrives once.
  const lastAttempt = useRef<Attempt | null>(null)
  const { form, bind, busy, submit, isShown, formError } = useFormDraft<keyof ContactForm>({
    initialValues: () => contactStart(search),
    check: typed => contactErrors(typed, user !== null),
    fallbackMessage: t.failed,
  })
  const changed = form.message.trim() !== ''
  const guard = useUnsavedChangesGuard(changed)
  const field = (name: keyof ContactForm) => {
    const { onText, ...props } = bind(name)
    return {
      ...props,
      onChange: (event: { currentTarget: { value: string } }) => onText(event.currentTarget.value),
      required: true,
    }
  }
  const wrong = contactFields(user !== null).filter(name => bind(name).error !== undefined)
  const save = async (typedForm: ContactForm) => {
    const { name, email, subject, message } = typedForm
    const topic = chosenTopic(typedForm)
    const typed = user ? { topic, subject, message } : { name, email, topic, subject, message }
    const attempt = attemptFor(lastAttempt.current, JSON.stringify(typed))
    lastAttempt.current = attempt
    const body = { id: attempt.key, topic, subject, message }
    const answer = user
      ? await send(sendMessage, { params: { userId: user._id }, body })
      : await send(sendVisitorMessage, { body: { ...body, name, email } })
    if (isShown(typedForm)) onSent(answer.message)
    else toastSuccess(answer.message)
  }
  return (
    <Form
      ref={formElement}
      onSubmit={async () => void (await submit(save, () => {}))}
      className={styles.form}
    >
      <ConfirmDialog
        opened={guard.asking}
        question={t.confirmDiscard}
        description={t.confirmDiscardText}
        confirmLabel={t.discard}
        cancelLabel={t.keep}
        onConfirm={guard.discard}
        onCancel={guard.keep}
      />
      {/* Beside the first field, which gets the focus: below the last one a phone does not show it. */}
      <ErrorLine>
        {!formError && wrong.length > 1 && <ToComplete wrong={wrong} form={formElement} />}
      </ErrorLine>
      {user ? (
        <p className={styles.lead}>{t.as(user.name, user.email)}</p>
      ) : (
        <div className={styles.pair}>
          <TextField
            {...field('name')}
            label={t.name}
            autoComplete="name"
            maxLength={VISITOR_NAME_MAX}
          />
          <TextField {...field('email')} label={t.email} type="email" autoComplete="email" />
        </div>
      )}
      <div className={styles.pair}>
        <NativeSelectField {...field('topic')} label={t.topic} data={TOPICS} />
        <TextField {...field('subject')} label={t.subject} maxLength={SUBJECT_MAX} />
      </div>
      <TextAreaField
        {...field('message')}
        label={t.message}
        description={messageHint(form)}
        rows={8}
        maxLength={MESSAGE_MAX}
      />
      <ErrorLine>{formError}</ErrorLine>
      <Button kind="ink" size="large" type="submit" busy={busy} className={styles.start}>
        {t.send}
      </Button>
    </Form>
  )
}

type ToCompleteProps = {
  wrong: readonly (keyof ContactForm)[]
  form: RefObject<HTMLFormElement | null>
}

/** Where several fields are wrong: how many, and the way to the first one. */
const ToComplete = ({ wrong: [first, ...others], form }: ToCompleteProps) =>
  first && (
    <>
      {t.toComplete(1 + others.length)}{' '}
      <button
        type="button"
        className={styles.toField}
        onClick={() => form.current && focusFirstError(form.current)}
      >
        {CONTACT_LABELS[first]}
      </button>
    </>
  )

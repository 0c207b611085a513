import { useQuery } from '@tanstack/react-query'
import { referralCode } from '#contract/referrals.ts'
import { keys } from '#web/client/keys.ts'
import { send } from '#web/client/send.ts'
import { useUser } from '#web/client/session.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { CopyField } from '#web/ui/CopyText.tsx'
import { Empty } from '#web/ui/ListTable.tsx'
import { Failure } from './Failure.tsx'
import { inviteLink } from './invite-link.ts'
import { InvitedTable } from './InvitedTable.tsx'
import { texts } from './texts.ts'
import styles from './Referrals.module.css'

/** Specification, 2 (/main/invite) and 6: for friends and administrators; a user who comes by the address is told so. */
export function InvitePage() {
  const { user_role } = useUser()
  if (user_role === 'user') {
    const away = (
      <ButtonLink to="/main/dashboard" kind="ink">
        {texts.toDashboard}
      </ButtonLink>
    )
    return <Empty heading="h2" title={texts.notYours} text={texts.notYoursText} action={away} />
  }
  return (
    <div className={styles.page}>
      <Share />
      <Invited />
    </div>
  )
}

function Share() {
  const { _id: userId } = useUser()
  const { data, error, refetch } = useQuery({
    queryKey: keys.referralCode(userId),
    queryFn: () => send(referralCode, { params: { userId } }),
  })
  const code = data?.referralCode ?? null
  return (
    <Card title={texts.share}>
      <p className={styles.text}>{texts.shareText}</p>
      {error && !data ? (
        <Failure reason={error} otherwise={texts.failed} again={() => void refetch()} />
      ) : (
        <div className={styles.fields}>
          <CopyField label={texts.link} value={code && inviteLink(location.origin, code)} />
          <CopyField label={texts.code} value={code} />
        </div>
      )}
    </Card>
  )
}

function Invited() {
  const { _id: userId } = useUser()
  return (
    <InvitedTable
      userId={userId}
      queryKey={page => keys.invited(userId, page)}
      failed={texts.failed}
      empty={{ title: texts.none, text: texts.noneText }}
    />
  )
}

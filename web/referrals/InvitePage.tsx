import { useQuery } from '@tanstack/react-query'
import { referralCode } from '#contract/referrals.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { send } from '#web/client/send.ts'
import { useUser } from '#web/client/session.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { CopyField } from '#web/ui/CopyText.tsx'
import { EmptyState } from '#web/ui/ListTable.tsx'
import { inviteLink } from './invite-link.ts'
import { InvitedUsersTable } from './InvitedUsersTable.tsx'
import { LoadErrorNotice } from './LoadErrorNotice.tsx'
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
    return (
      <EmptyState heading="h2" title={texts.notYours} text={texts.notYoursText} action={away} />
    )
  }
  return (
    <div className={styles.page}>
      <ShareCard />
      <InvitedUsers />
    </div>
  )
}

function ShareCard() {
  const { _id: userId } = useUser()
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.referralCode(userId),
    queryFn: () => send(referralCode, { params: { userId } }),
  })
  const code = data?.referralCode ?? null
  return (
    <Card title={texts.share}>
      <p className={styles.text}>{texts.shareText}</p>
      {error && !data ? (
        <LoadErrorNotice reason={error} otherwise={texts.failed} again={() => void refetch()} />
      ) : (
        <div className={styles.fields}>
          <CopyField label={texts.link} value={code && inviteLink(location.origin, code)} />
          <CopyField label={texts.code} value={code} />
        </div>
      )}
    </Card>
  )
}

function InvitedUsers() {
  const { _id: userId } = useUser()
  return (
    <InvitedUsersTable
      userId={userId}
      queryKey={page => queryKeys.invited(userId, page)}
      errorText={texts.failed}
      empty={{ title: texts.none, text: texts.noneText }}
    />
  )
}

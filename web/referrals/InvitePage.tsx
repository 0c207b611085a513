import { useQuery } from '@tanstack/react-query'
import { referralCode } from '#contract/referrals.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { messageOf, send } from '#web/client/send.ts'
import { useUser } from '#web/client/session.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { CopyField } from '#web/ui/CopyText.tsx'
import { LoadErrorNotice } from '#web/ui/ErrorLine.tsx'
import { EmptyState } from '#web/ui/ListTable.tsx'
import { inviteLink } from './invite-link.ts'
import { InvitedUsersTable } from './InvitedUsersTable.tsx'
import { texts } from './texts.ts'
import styles from './Referrals.module.css'

/** For friends and administrators. Other users can reach it by the URL and are told so. */
export function InvitePage() {
  const { user_role } = useUser()
  if (user_role === 'user') {
    const toDashboard = (
      <ButtonLink to="/main/dashboard" kind="ink">
        {texts.toDashboard}
      </ButtonLink>
    )
    return (
      <EmptyState
        heading="h2"
        title={texts.notYours}
        text={texts.notYoursText}
        action={toDashboard}
      />
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
        <LoadErrorNotice onRetry={() => void refetch()}>
          {messageOf(error, texts.failed)}
        </LoadErrorNotice>
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

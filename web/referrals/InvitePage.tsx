import { IconMail, IconShare2 } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { numberText } from '#contract/format.ts'
import { invitedTotals, referralCode } from '#contract/referrals.ts'
import { usePublicSettings } from '#web/client/public-settings.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { messageOf, send } from '#web/client/send.ts'
import { useUser } from '#web/client/session.ts'
import { contactPath } from '#web/shell/contact-path.ts'
import { LabelNotice } from '#web/shell/LabelNotice.tsx'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { Card, Ticket } from '#web/ui/Card.tsx'
import { CopyField } from '#web/ui/CopyText.tsx'
import { LoadErrorNotice } from '#web/ui/ErrorLine.tsx'
import { HowItWorks } from '#web/ui/HowItWorks.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { Money } from '#web/ui/Value.tsx'
import { inviteLink, inviteMail } from './invite-link.ts'
import { InvitedUsersTable } from './InvitedUsersTable.tsx'
import { texts } from './texts.ts'
import styles from './Referrals.module.css'

/** For friends and administrators. Other users can reach it by the URL and are told so. */
export function InvitePage() {
  const { user_role } = useUser()
  if (user_role === 'user') return <NoInvites />
  return (
    <div className={styles.page}>
      <div className={styles.top}>
        <ShareCard />
        <InviteTotals />
      </div>
      <InvitedUsers />
      <HowItWorks {...texts.how} />
    </div>
  )
}

function NoInvites() {
  const canAsk = Boolean(usePublicSettings().data?.support.email)
  return (
    <LabelNotice
      picture={texts.notYoursPicture}
      title={texts.notYours}
      text={<span>{canAsk ? `${texts.notYoursText} ${texts.canSwitch}` : texts.notYoursText}</span>}
      action={
        <>
          {canAsk && (
            <ButtonLink
              to={contactPath({ topic: 'account', subject: texts.askSubject })}
              kind="ink"
            >
              {texts.askSupport}
            </ButtonLink>
          )}
          <ButtonLink to="/main/dashboard" kind={canAsk ? 'outline' : 'ink'}>
            {texts.toDashboard}
          </ButtonLink>
        </>
      }
    >
      <div className={styles.how}>
        <HowItWorks {...texts.howLater} />
      </div>
    </LabelNotice>
  )
}

function ShareCard() {
  const { _id: userId } = useUser()
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.referralCode(userId),
    queryFn: () => send(referralCode, { params: { userId } }),
  })
  const code = data?.referralCode ?? null
  const link = code && inviteLink(location.origin, code)
  const isFailed = error !== null && !data
  return (
    <Card title={texts.share}>
      <p className={styles.text}>{texts.shareText}</p>
      {isFailed ? (
        <LoadErrorNotice onRetry={() => void refetch()}>
          {messageOf(error, texts.failed)}
        </LoadErrorNotice>
      ) : (
        <div className={styles.fields}>
          <CopyField label={texts.link} value={link} kind="ink" wraps />
          <ShareButtons link={link} />
          <CopyField label={texts.code} value={code} />
        </div>
      )}
    </Card>
  )
}

/** Web Share is on phones and some desktops, and on secure pages alone. */
const canShare = (): boolean => typeof navigator.share === 'function'

/** `link`: null while loading. */
function ShareButtons({ link }: { link: string | null }) {
  const { subject, text, share, email } = texts.send
  const shareLink = async () => {
    try {
      await navigator.share({ title: subject, text, url: link ?? '' })
    } catch {
      // The user has closed the system's dialog.
    }
  }
  return (
    <div className={styles.buttons} data-waiting={link === null || undefined}>
      {canShare() && (
        <Button size="large" icon={<IconShare2 />} onClick={shareLink}>
          {share}
        </Button>
      )}
      <ButtonLink size="large" icon={<IconMail />} href={inviteMail(subject, text, link ?? '')}>
        {email}
      </ButtonLink>
    </div>
  )
}

/** How many have signed up, and what they have deposited. */
function InviteTotals() {
  const { _id: userId } = useUser()
  const { data } = useQuery({
    queryKey: queryKeys.invitedTotals(userId),
    queryFn: () => send(invitedTotals, { params: { userId } }),
  })
  const { title, users, deposits } = texts.totals
  return (
    <Ticket className={styles.totals}>
      <h2 className={styles.totalsTitle}>{title}</h2>
      <p className={styles.signedUp}>
        <span className={styles.figure}>
          {data ? numberText(data.users) : <Skeleton width="3ch" />}
        </span>{' '}
        {data && users(data.users)}
      </p>
      {data && data.users > 0 && data.totalDeposit !== null && (
        <p className={styles.deposits}>
          {deposits} <Money dollars={data.totalDeposit} />
        </p>
      )}
    </Ticket>
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

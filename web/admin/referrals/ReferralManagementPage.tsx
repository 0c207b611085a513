/** One user's referral code and who came by it (specification, 2: Referral management). Which user stands in the address. */
import { useQuery } from '@tanstack/react-query'
import { isId } from '#contract/call.ts'
import { referralCode } from '#contract/referrals.ts'
import { UserField } from '#web/admin/people/UserField.tsx'
import { keys } from '#web/client/keys.ts'
import { send } from '#web/client/send.ts'
import { useUser } from '#web/client/session.ts'
import { Failure } from '#web/referrals/Failure.tsx'
import { InvitedTable } from '#web/referrals/InvitedTable.tsx'
import { Card } from '#web/ui/Card.tsx'
import { Empty } from '#web/ui/ListTable.tsx'
import { useUrlFields } from '#web/ui/use-url-fields.ts'
import { CodeForm } from './CodeForm.tsx'
import { texts } from './texts.ts'
import styles from './Referrals.module.css'

export function ReferralManagementPage() {
  const { _id: adminId } = useUser()
  const { values, put } = useUrlFields(['userId'])
  const userId = isId(values.userId) ? values.userId : ''
  return (
    <div className={styles.page}>
      <Card title={texts.title}>
        <p className={styles.explain}>{texts.explain}</p>
        <div className={styles.fields}>
          <UserField one label={texts.user} value={userId} onPick={id => put({ userId: id })} />
          {userId ? <Code key={userId} userId={userId} /> : <CodeForm userId={null} code="" />}
        </div>
      </Card>
      {userId ? (
        <InvitedTable
          key={userId}
          userId={userId}
          queryKey={page => keys.invitedBy(adminId, userId, page)}
          failed={texts.failed.invited}
          toast
          empty={{ title: texts.none, text: texts.noneText }}
        />
      ) : (
        <Card title={texts.invited}>
          <Empty title={texts.nobody} text={texts.nobodyText} />
        </Card>
      )}
    </div>
  )
}

function Code({ userId }: { userId: string }) {
  const { _id: adminId } = useUser()
  const { data, error, refetch } = useQuery({
    queryKey: keys.codeOf(adminId, userId),
    queryFn: ({ signal }) => send(referralCode, { params: { userId } }, { signal }),
    meta: { failed: texts.failed.code },
  })
  if (error && !data)
    return <Failure reason={error} otherwise={texts.failed.code} again={() => void refetch()} />
  // Begun anew with each code that comes from the server.
  return (
    <CodeForm key={data?.referralCode ?? ''} userId={userId} code={data?.referralCode ?? null} />
  )
}

/** Referral code and invited users of one user, who is named in the URL. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { isId } from '#contract/endpoint.ts'
import { referralCode } from '#contract/referrals.ts'
import { UserField } from '#web/accounts/admin/UserField.tsx'
import { queryKeys } from '#web/client/query-keys.ts'
import { messageOf, send } from '#web/client/send.ts'
import { useUser } from '#web/client/session.ts'
import { InvitedUsersTable } from '#web/referrals/InvitedUsersTable.tsx'
import { Card } from '#web/ui/Card.tsx'
import { LoadErrorNotice } from '#web/ui/ErrorLine.tsx'
import { useUrlSearch } from '#web/ui/use-url-search.ts'
import { ReferralCodeForm } from './ReferralCodeForm.tsx'
import { ReferrersTable } from './ReferrersTable.tsx'
import { texts } from './texts.ts'
import styles from './ReferralManagement.module.css'

export function ReferralManagementPage() {
  const { _id: adminId } = useUser()
  const [search, changeSearch] = useUrlSearch()
  const wanted = search.get('userId') ?? ''
  const userId = isId(wanted) ? wanted : ''
  /** Chosen by a button of the list, which is gone then. */
  const [edited, setEdited] = useState('')
  /** Back leads to the codes, on the page of the list where they were. */
  const pick = (id: string) =>
    changeSearch(next => {
      next.delete('page')
      next.set('userId', id)
    })
  return (
    <div className={styles.page} data-overview={userId === '' || undefined}>
      <Card className={styles.user}>
        <div className={styles.about}>
          <h2>{texts.title}</h2>
          <p>{texts.explain}</p>
        </div>
        <div className={styles.fields}>
          <UserField required label={texts.user} value={userId} onPick={pick} />
          {userId && (
            <ReferralCodeEditor key={userId} userId={userId} takesFocus={userId === edited} />
          )}
        </div>
      </Card>
      {userId ? (
        <InvitedUsersTable
          key={userId}
          userId={userId}
          queryKey={page => queryKeys.invitedBy(adminId, userId, page)}
          errorText={texts.failed.invited}
          withToast
          empty={{ title: texts.none, text: texts.noneText }}
        />
      ) : (
        <ReferrersTable
          onPick={id => {
            setEdited(id)
            pick(id)
          }}
        />
      )}
    </div>
  )
}

function ReferralCodeEditor({ userId, takesFocus }: { userId: string; takesFocus: boolean }) {
  const { _id: adminId } = useUser()
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.referralCodeOf(adminId, userId),
    queryFn: ({ signal }) => send(referralCode, { params: { userId } }, { signal }),
    meta: { errorToast: texts.failed.code },
  })
  if (error && !data)
    return (
      <LoadErrorNotice onRetry={() => void refetch()}>
        {messageOf(error, texts.failed.code)}
      </LoadErrorNotice>
    )
  return <ReferralCodeForm {...{ userId, takesFocus }} code={data?.referralCode ?? null} />
}

import { Link } from 'react-router'
import type { UserSummary } from '#contract/accounts.ts'
import { accountLookPath } from '#web/accounts/admin/users/UserActions.tsx'
import styles from './ReferralManagement.module.css'

export const AccountLink = ({ user: { _id, name } }: { user: UserSummary }) => (
  <Link to={accountLookPath(_id)} className={styles.accountLink}>
    {name}
  </Link>
)

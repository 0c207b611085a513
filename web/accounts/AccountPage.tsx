import { Devices } from './Devices.tsx'
import { Profile } from './Profile.tsx'
import styles from './Account.module.css'

/** Specification, 2 (/main/account), and beside it the devices that are signed in. */
export function AccountPage() {
  return (
    <div className={styles.page}>
      <Profile />
      <Devices />
    </div>
  )
}

import { Devices } from './Devices.tsx'
import { Profile } from './Profile.tsx'
import styles from './Account.module.css'

export function AccountPage() {
  return (
    <div className={styles.page}>
      <Profile />
      <Devices />
    </div>
  )
}

import { cx } from '#web/ui/cx.ts'
import { ApiKeysSection } from './api-keys/ApiKeysSection.tsx'
import { Devices } from './Devices.tsx'
import { UnverifiedNotice } from './email/UnverifiedNotice.tsx'
import { ParcelPageSection } from './parcel-page/ParcelPageSection.tsx'
import { Profile } from './Profile.tsx'
import { TwoStepSection } from './two-step/TwoStepSection.tsx'
import { WebhooksSection } from './webhooks/WebhooksSection.tsx'
import styles from './Account.module.css'

export function AccountPage() {
  return (
    <div className={styles.page}>
      <div className={styles.wide}>
        <UnverifiedNotice onAccount />
      </div>
      <div className={styles.column}>
        <Profile />
      </div>
      <div className={styles.column}>
        <TwoStepSection />
        <Devices />
      </div>
      <div className={styles.wide}>
        <ParcelPageSection />
      </div>
      <div className={cx(styles.column, styles.wide, styles.programs)}>
        <ApiKeysSection />
        <WebhooksSection />
      </div>
    </div>
  )
}

import { cx } from '#web/ui/cx.ts'
import { SectionLinks } from '#web/ui/SectionLinks.tsx'
import { useSections } from '#web/ui/use-sections.ts'
import { ApiKeysSection } from './api-keys/ApiKeysSection.tsx'
import { Devices } from './Devices.tsx'
import { UnverifiedNotice } from './email/UnverifiedNotice.tsx'
import { ParcelPageSection } from './parcel-page/ParcelPageSection.tsx'
import { Profile } from './Profile.tsx'
import { texts } from './texts.ts'
import { TwoStepSection } from './two-step/TwoStepSection.tsx'
import { WebhooksSection } from './webhooks/WebhooksSection.tsx'
import styles from './Account.module.css'

const t = texts.account.parts
const PARTS = [
  { id: 'profile', text: t.profile },
  { id: 'security', text: t.security },
  { id: 'tracking-pages', text: t.trackingPages },
  { id: 'api-keys', text: t.apiKeys },
  // A mail about a webhook links here.
  { id: 'webhooks', text: t.webhooks },
]

export function AccountPage() {
  const parts = useSections(PARTS)
  const { isHidden } = parts
  return (
    <>
      <SectionLinks name={t.name} parts={parts} />
      <div className={styles.page}>
        <div className={styles.wide} hidden={isHidden('profile')}>
          <UnverifiedNotice onAccount />
        </div>
        <div id="profile" className={styles.column} hidden={isHidden('profile')}>
          <Profile />
        </div>
        <div id="security" className={styles.column} hidden={isHidden('security')}>
          <TwoStepSection />
          <Devices />
        </div>
        <div id="tracking-pages" className={styles.wide} hidden={isHidden('tracking-pages')}>
          <ParcelPageSection />
        </div>
        <div className={cx(styles.column, styles.wide, styles.programs)}>
          <div id="api-keys" hidden={isHidden('api-keys')}>
            <ApiKeysSection />
          </div>
          <div id="webhooks" hidden={isHidden('webhooks')}>
            <WebhooksSection />
          </div>
        </div>
      </div>
    </>
  )
}

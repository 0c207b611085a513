import { useEffect } from 'react'
import { SectionLinks } from '#web/ui/SectionLinks.tsx'
import { useSections } from '#web/ui/use-sections.ts'
import { ApiKeysSection } from './api-keys/ApiKeysSection.tsx'
import { Devices } from './Devices.tsx'
import { ParcelPageSection } from './parcel-page/ParcelPageSection.tsx'
import { PasswordRow } from './PasswordRow.tsx'
import { Profile } from './Profile.tsx'
import { SettingsCard } from './Settings.tsx'
import { texts } from './texts.ts'
import { TwoStepSection } from './two-step/TwoStepSection.tsx'
import { WebhooksSection } from './webhooks/WebhooksSection.tsx'
import styles from './Account.module.css'

const t = texts.account.parts
const PARTS = [
  { id: 'profile', text: t.profile },
  { id: 'tracking-pages', text: t.trackingPages },
  { id: 'api-keys', text: t.apiKeys },
  // A mail about a webhook links here.
  { id: 'webhooks', text: t.webhooks },
]

/** In the first part: what help links to. */
const SECURITY_ID = 'security'

export function AccountPage() {
  const parts = useSections(PARTS)
  const { isHidden } = parts
  useEffect(() => {
    if (location.hash === `#${SECURITY_ID}`) document.getElementById(SECURITY_ID)?.scrollIntoView()
  }, [])
  return (
    <>
      <SectionLinks name={t.name} parts={parts} />
      <div id="profile" className={styles.part} hidden={isHidden('profile')}>
        <Profile />
        <div id={SECURITY_ID} className={styles.target}>
          <SettingsCard>
            <PasswordRow />
            <TwoStepSection />
            <Devices />
          </SettingsCard>
        </div>
      </div>
      <div id="tracking-pages" className={styles.part} hidden={isHidden('tracking-pages')}>
        <ParcelPageSection />
      </div>
      <div id="api-keys" className={styles.part} hidden={isHidden('api-keys')}>
        <ApiKeysSection />
      </div>
      <div id="webhooks" className={styles.part} hidden={isHidden('webhooks')}>
        <WebhooksSection />
      </div>
    </>
  )
}

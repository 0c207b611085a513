import { IconCode, IconHelpCircle, IconPackage, IconTag } from '@tabler/icons-react'
import { PRODUCT } from '#contract/product.ts'
import { useSession } from '#web/client/session.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { useDocumentTitle } from '#web/ui/page-title.tsx'
import { HelpLink } from './HelpLink.tsx'
import { LabelNotice } from './LabelNotice.tsx'
import { useLostLabel } from './LostLabel.tsx'
import { PageLinks } from './PageLinks.tsx'
import { PagesFooter } from './PagesFooter.tsx'
import { PublicHeader } from './PublicHeader.tsx'
import { texts } from './texts.ts'
import styles from './NotFound.module.css'

const t = texts.publicLinks
const COMMON_PAGES = [
  { path: '/#how-it-works', title: t.how, icon: IconPackage },
  { path: '/#pricing', title: t.pricing, icon: IconTag },
  { path: '/#faq', title: t.faq, icon: IconHelpCircle },
  { path: '/docs/api', title: t.api, icon: IconCode },
]

/** For unknown public paths. */
export function NotFoundPage() {
  const isSignedIn = useSession(session => session.user !== null)
  useDocumentTitle(texts.notFound, PRODUCT)
  return (
    <div className={styles.frame}>
      <PublicHeader side="dashboard" />
      <main id="content" tabIndex={-1} className={styles.public}>
        <LabelNotice
          heading="h1"
          picture={useLostLabel()}
          title={texts.notFound}
          text={texts.nothingHereText}
          action={
            <>
              {isSignedIn && (
                <ButtonLink to="/main/dashboard" kind="ink">
                  {texts.toDashboard}
                </ButtonLink>
              )}
              {/* Not a router link: the landing page is a document of its own. */}
              <ButtonLink href="/" kind={isSignedIn ? 'outline' : 'ink'}>
                {texts.toHome}
              </ButtonLink>
              <HelpLink />
            </>
          }
        >
          <PageLinks links={COMMON_PAGES} areDocuments />
        </LabelNotice>
      </main>
      <PagesFooter />
    </div>
  )
}

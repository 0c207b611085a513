import { PRODUCT } from '#contract/product.ts'
import { useSession } from '#web/client/session.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Logo } from '#web/ui/Logo.tsx'
import { PageTitle } from '#web/ui/page-title.tsx'
import { LostLabel } from './LostLabel.tsx'
import { texts } from './texts.ts'
import styles from './NotFound.module.css'

/** For unknown public paths. Without the public header, which only existing pages have. */
export function NotFoundPage() {
  const isSignedIn = useSession(session => session.user !== null)
  return (
    <main className={styles.page}>
      <a href="/" className={styles.home}>
        <Logo name={PRODUCT} />
      </a>
      <LostLabel />
      <PageTitle title={texts.notFound} product={PRODUCT} className={styles.title} />
      <p className={styles.text}>{texts.nothingHereText}</p>
      <div className={styles.links}>
        {/* Not a router link: the landing page is a document of its own. */}
        <ButtonLink href="/" kind={isSignedIn ? 'outline' : 'ink'}>
          {texts.toHome}
        </ButtonLink>
        {isSignedIn && (
          <ButtonLink to="/main/dashboard" kind="ink">
            {texts.toDashboard}
          </ButtonLink>
        )}
      </div>
    </main>
  )
}

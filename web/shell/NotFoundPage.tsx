import { PRODUCT } from '#contract/product.ts'
import { useSession } from '#web/client/session.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Logo } from '#web/ui/Logo.tsx'
import { PageTitle } from '#web/ui/page-title.tsx'
import { texts } from './texts.ts'
import styles from './NotFound.module.css'

/** A public path that is none. The public header is for the pages that there are (specification, 2). */
export function NotFoundPage() {
  const isSignedIn = useSession(session => session.user !== null)
  return (
    <main className={styles.page}>
      <a href="/" className={styles.home}>
        <Logo name={PRODUCT} />
      </a>
      <PageTitle title={texts.notFound} product={PRODUCT} className={styles.title} />
      <p className={styles.text}>{texts.nothingHere}</p>
      <div className={styles.links}>
        {/* The landing page is a document of its own, so the way there is by the server. */}
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

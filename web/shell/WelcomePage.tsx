import { Link } from 'react-router'
import { useUser } from '#web/client/session.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/ListTable.tsx'
import { isVisibleTo, NAV_ITEMS } from './nav-items.ts'
import { texts } from './texts.ts'
import styles from './NotFound.module.css'

/** For unknown paths below /main: links to the pages that exist. */
export function WelcomePage() {
  const [home, ...others] = NAV_ITEMS.filter(isVisibleTo(useUser().user_role))
  return (
    <EmptyState
      heading="h2"
      title={texts.nothingHere}
      text={texts.nothingHereText}
      action={
        <>
          {home && (
            <ButtonLink to={home.path} kind="ink">
              {texts.toDashboard}
            </ButtonLink>
          )}
          <ul className={styles.navList}>
            {others.map(({ path, title }) => (
              <li key={path}>
                <Link to={path}>{title}</Link>
              </li>
            ))}
          </ul>
        </>
      }
    />
  )
}

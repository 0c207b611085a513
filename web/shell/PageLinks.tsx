import type { Icon } from '@tabler/icons-react'
import { Link } from 'react-router'
import { texts } from './texts.ts'
import styles from './PageLinks.module.css'

type PageLink = { path: string; title: string; icon: Icon }

type PageLinksProps = {
  links: readonly PageLink[]
  /** Documents of their own, such as the landing page. */
  areDocuments?: boolean
}

/** What people look for most, on a page that does not exist. */
export const PageLinks = ({ links, areDocuments }: PageLinksProps) => (
  <nav aria-label={texts.pageLinks}>
    <ul className={styles.links}>
      {links.map(({ path, title, icon: PageIcon }) => (
        <li key={path}>
          <Link to={path} reloadDocument={areDocuments} className={styles.link}>
            <PageIcon aria-hidden="true" />
            {title}
          </Link>
        </li>
      ))}
    </ul>
  </nav>
)

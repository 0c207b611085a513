import type { ReactNode } from 'react'
import { texts } from './texts.ts'
import styles from './PublicFooter.module.css'

const t = texts.footer

type PublicFooterProps = {
  year: string
  /** With a link to the API. */
  api?: boolean
  children: ReactNode
}

/** Below the public pages. The build renders it into the landing page, so it must not need the browser. */
export const PublicFooter = ({ year, api = true, children }: PublicFooterProps) => (
  <footer className={styles.footer}>
    <p>{t.copyright(year)}</p>
    {/* Not a router link: the page of the API is a document of its own. */}
    {api && <a href="/docs/api">{t.api}</a>}
    {children}
  </footer>
)

export const CommunityLink = ({ href }: { href: string }) => (
  <a href={href} target="_blank" rel="noopener noreferrer">
    {t.community}
  </a>
)

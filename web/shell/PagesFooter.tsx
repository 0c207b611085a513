import { Link } from 'react-router'
import { usePublicSettings } from '#web/client/public-settings.ts'
import { CommunityLink, PublicFooter } from './PublicFooter.tsx'
import { texts } from './texts.ts'

const YEAR = String(new Date().getFullYear())
const CONTACT = { path: '/contact', title: texts.footer.contact }

/** The operator's pages, and the one to write to support. */
export function usePublicPages(): { path: string; title: string }[] {
  const pages = usePublicSettings().data?.support.pages ?? []
  return [...pages.map(({ slug, title }) => ({ path: `/${slug}`, title })), CONTACT]
}

const FOR_RECEIVERS = new Set(['/help', '/privacy', CONTACT.path])

/** With links to the operator's pages. A receiver of a parcel gets those that matter without an account. */
export function PagesFooter({ forReceivers = false }: { forReceivers?: boolean }) {
  const communityUrl = usePublicSettings().data?.communityUrl
  const pages = usePublicPages()
  return (
    <PublicFooter year={YEAR} api={!forReceivers}>
      {pages
        .filter(({ path }) => !forReceivers || FOR_RECEIVERS.has(path))
        .map(({ path, title }) => (
          <Link key={path} to={path}>
            {title}
          </Link>
        ))}
      {communityUrl && !forReceivers && <CommunityLink href={communityUrl} />}
    </PublicFooter>
  )
}

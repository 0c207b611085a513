import { useQuery } from '@tanstack/react-query'
import { useLocation } from 'react-router'
import { PAGE_SLUGS, readPage } from '#contract/support.ts'
import type { PageSlug } from '#contract/support.ts'
import { usePublicSettings } from '#web/client/public-settings.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { ApiError, send } from '#web/client/send.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { secondsToMs } from '#web/ui/date-text.ts'
import { LoadErrorNotice, Notice } from '#web/ui/ErrorLine.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { DateTime } from '#web/ui/Value.tsx'
import { PublicFrame } from './PublicFrame.tsx'
import { texts } from './texts.ts'
import styles from './Support.module.css'

/** A page of the operator, by its path: /help, /terms, /privacy or /refunds. */
export function OperatorPage() {
  const { pathname } = useLocation()
  const slug = PAGE_SLUGS.find(one => one === pathname.replaceAll('/', '').toLowerCase()) ?? 'help'
  return <PageText key={slug} slug={slug} />
}

function PageText({ slug }: { slug: PageSlug }) {
  const known = usePublicSettings().data?.support.pages.find(page => page.slug === slug)
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.operatorPage(slug),
    queryFn: () => send(readPage, { params: { slug } }),
    retry: false,
  })
  const missing = error instanceof ApiError && error.status === 404
  const title = data?.title ?? (missing ? texts.none : (known?.title ?? ''))
  return (
    <PublicFrame title={title}>
      {data ? (
        <>
          <Contents html={data.html} />
          {data.isExample && <Notice tone="neutral">{texts.example}</Notice>}
          {/* Made by the server from markdown; it contains no markup of the file. */}
          <div className={styles.text} dangerouslySetInnerHTML={{ __html: data.html }} />
          {!data.isExample && (
            <p className={styles.updated}>
              {texts.updated} <DateTime at={secondsToMs(data.updated)} />
            </p>
          )}
          <More slug={slug} />
        </>
      ) : missing ? (
        <p className={styles.lead}>{texts.noneText}</p>
      ) : error ? (
        <LoadErrorNotice onRetry={() => void refetch()}>{texts.failed}</LoadErrorNotice>
      ) : (
        <PageSkeleton />
      )}
    </PublicFrame>
  )
}

/** Where to go with a question that the text leaves open. */
function More({ slug }: { slug: PageSlug }) {
  const { email, pages = [] } = usePublicSettings().data?.support ?? {}
  const hasHelp = slug !== 'help' && pages.some(page => page.slug === 'help')
  if (!email && !hasHelp) return null
  return (
    <section className={styles.more} aria-labelledby="more">
      <div>
        <h2 id="more">{texts.more.title}</h2>
        {email && <p>{texts.more.text}</p>}
      </div>
      {hasHelp && <ButtonLink to="/help">{texts.more.help}</ButtonLink>}
      {email && (
        <ButtonLink to="/contact" kind="ink">
          {texts.more.contact}
        </ButtonLink>
      )}
    </section>
  )
}

/** Fewer titles need no list. */
const LEAST_TITLES = 3

/** Links to the parts of a long text. */
function Contents({ html }: { html: string }) {
  const titles = [...new DOMParser().parseFromString(html, 'text/html').querySelectorAll('h2[id]')]
  if (titles.length < LEAST_TITLES) return null
  return (
    <nav className={styles.contents} aria-label={texts.contents}>
      <h2>{texts.contents}</h2>
      <ul>
        {titles.map(({ id, textContent }) => (
          <li key={id}>
            <a href={`#${id}`}>{textContent}</a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

const PageSkeleton = () => (
  <div className={styles.text} aria-hidden="true">
    {['92%', '98%', '64%', '88%', '71%'].map(width => (
      <p key={width}>
        <Skeleton width={width} />
      </p>
    ))}
  </div>
)

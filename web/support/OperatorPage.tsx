import { useQuery } from '@tanstack/react-query'
import { useLocation } from 'react-router'
import { PAGE_SLUGS, readPage } from '#contract/support.ts'
import type { OperatorPage as Page, PageSlug } from '#contract/support.ts'
import { usePublicSettings } from '#web/client/public-settings.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { ApiError, send } from '#web/client/send.ts'
import { useSession } from '#web/client/session.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { dateText } from '#web/ui/date-text.ts'
import { LoadErrorNotice, Notice } from '#web/ui/ErrorLine.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { showsQuestions } from './help.ts'
import { HelpTopics } from './HelpTopics.tsx'
import { LongText } from './LongText.tsx'
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
  const email = usePublicSettings().data?.support.email
  const isAdmin = useSession(session => session.user?.user_role === 'admin')
  const missing = error instanceof ApiError && error.status === 404
  const title = data?.title ?? (missing ? texts.none : (known?.title ?? ''))
  const isHelp = data !== undefined && showsQuestions(slug, data.sections)
  return (
    <PublicFrame title={title} wide={isHelp}>
      {data && isHelp ? (
        <>
          {data.isExample && isAdmin && <Notice tone="neutral">{texts.exampleHelp}</Notice>}
          <HelpTopics
            sections={data.sections}
            canWrite={Boolean(email)}
            after={<More slug={slug} />}
          />
          <Updated page={data} />
        </>
      ) : data ? (
        <>
          <Updated page={data} />
          {data.isExample && <Notice tone="neutral">{texts.example}</Notice>}
          <LongText html={data.html} sections={data.sections} numbered={slug !== 'help'} />
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

/** The date in the text, else that of its file. The file of an example has the date of the installation, which says nothing. */
function Updated({ page: { updatedText, updated, isExample } }: { page: Page }) {
  if (updatedText === null && isExample) return null
  const at = new Date(updated * 1000)
  return (
    <p className={styles.updated}>
      {texts.updated} {updatedText ?? <time dateTime={at.toISOString()}>{dateText(at)}</time>}
    </p>
  )
}

/** Where to go with a question that the text leaves open. */
function More({ slug }: { slug: PageSlug }) {
  const { email, replyTime = null, pages = [] } = usePublicSettings().data?.support ?? {}
  const hasHelp = slug !== 'help' && pages.some(page => page.slug === 'help')
  if (!email && !hasHelp) return null
  return (
    <section className={styles.more} aria-labelledby="more">
      <div>
        <h2 id="more">{slug === 'help' ? texts.more.stuck : texts.more.title}</h2>
        {email && <p>{texts.more.text(replyTime)}</p>}
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

const PageSkeleton = () => (
  <div className={styles.text} aria-hidden="true">
    {['92%', '98%', '64%', '88%', '71%'].map(width => (
      <p key={width}>
        <Skeleton width={width} />
      </p>
    ))}
  </div>
)

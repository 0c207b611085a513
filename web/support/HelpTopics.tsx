/** The questions of Help: a search, tiles that lead to the topics, and answers to unfold. */
import { useEffect } from 'react'
import type { ReactNode } from 'react'
import { useLocation } from 'react-router'
import type { PageQuestion, PageSection } from '#contract/support.ts'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { SearchField } from '#web/ui/SearchField.tsx'
import { useUrlFilters } from '#web/ui/use-url-filters.ts'
import { questionCount, searchQuestions, topicOf } from './help.ts'
import { texts } from './texts.ts'
import { TopicPicture } from './TopicPictures.tsx'
import styles from './Help.module.css'

const t = texts.help

type HelpTopicsProps = {
  sections: PageSection[]
  /** Messages to support can be sent. */
  canWrite: boolean
  /** Below the questions; nothing found has its own way on. */
  after: ReactNode
}

export function HelpTopics({ sections, canWrite, after }: HelpTopicsProps) {
  const { values, setFilters, clear } = useUrlFilters(['search'])
  const { search } = values
  const found = searchQuestions(sections, search)
  const count = questionCount(found)
  useOpenAtHash()
  return (
    <>
      <SearchField
        className={styles.search}
        label={t.search}
        hint={t.searchHint}
        hideLabel={false}
        search={search}
        onSearch={words => setFilters({ search: words })}
        foundText={search === '' ? '' : t.found(count, search)}
      />
      {search === '' ? (
        <TopicTiles sections={sections} />
      ) : count > 0 ? (
        <p className={styles.found}>
          <strong>{t.found(count, search)}</strong>
          <Button kind="quiet" size="small" onClick={clear}>
            {t.showAll}
          </Button>
        </p>
      ) : (
        <div className={styles.none}>
          <EmptyState
            heading="h2"
            picture={<TopicPicture topic="other" />}
            title={t.none(search)}
            text={canWrite ? t.noneText : t.noneAlone}
            action={
              <>
                {canWrite && (
                  <ButtonLink kind="ink" to={`/contact?subject=${encodeURIComponent(search)}`}>
                    {texts.more.contact}
                  </ButtonLink>
                )}
                <Button onClick={clear}>{t.showAll}</Button>
              </>
            }
          />
        </div>
      )}
      {(search === '' ? sections : found).map((section, at) => (
        <TopicSection
          key={`${section.title} ${at}`}
          section={section}
          isOpen={search !== '' && count === 1}
        />
      ))}
      {count > 0 && after}
    </>
  )
}

const TopicTiles = ({ sections }: { sections: readonly PageSection[] }) => (
  <nav aria-label={t.topics}>
    <ul className={styles.tiles}>
      {sections
        .filter(({ id }) => id !== '')
        .map(({ id, title, questions }) => (
          <li key={id}>
            <a href={`#${id}`} className={styles.tile}>
              <TopicPicture topic={topicOf(title)} />
              <span className={styles.words}>
                <strong>{title}</strong>
                {questions.length > 0 && (
                  <span className={styles.count}>{t.questions(questions.length)}</span>
                )}
              </span>
            </a>
          </li>
        ))}
    </ul>
  </nav>
)

/** The answer of an only result is open. */
function TopicSection({ section, isOpen }: { section: PageSection; isOpen: boolean }) {
  const { id, title, html, questions } = section
  return (
    <section id={id || undefined} className={styles.topic} aria-label={title || undefined}>
      {title !== '' && <h2>{title}</h2>}
      <div className={styles.sheet}>
        {html !== '' && <Answer html={html} />}
        {questions.map((question, at) => (
          <Question key={at} question={question} isOpen={isOpen} />
        ))}
      </div>
    </section>
  )
}

const Question = ({
  question: { id, title, html },
  isOpen,
}: {
  question: PageQuestion
  isOpen: boolean
}) => (
  <details id={id || undefined} className={styles.question} open={isOpen}>
    <summary>
      <h3>{title}</h3>
    </summary>
    <Answer html={html} />
  </details>
)

/** Made by the server from markdown; it contains no markup of the file. */
const Answer = ({ html }: { html: string }) => (
  <div className={styles.answer} dangerouslySetInnerHTML={{ __html: html }} />
)

/** A link to a question opens it. The browser has looked for it before the text came. */
function useOpenAtHash(): void {
  const { hash } = useLocation()
  useEffect(() => {
    const part = hash === '' ? null : document.getElementById(decodeHash(hash))
    if (part instanceof HTMLDetailsElement) part.open = true
    part?.scrollIntoView()
  }, [hash])
}

function decodeHash(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1))
  } catch {
    return hash.slice(1)
  }
}

/** The questions of Help: a search, tiles that lead to the topics, and answers to unfold. */
import { useMemo } from 'react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { PageQuestion, TextSection } from '#contract/support.ts'
import { contactPath } from '#web/shell/contact-path.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { SearchField } from '#web/ui/SearchField.tsx'
import { useUrlFilters } from '#web/ui/use-url-filters.ts'
import {
  markHtml,
  markText,
  questionCount,
  searchQuestions,
  searchWords,
  suggestQuestions,
  topicOf,
} from './help.ts'
import { texts } from './texts.ts'
import { TopicPicture } from './TopicPictures.tsx'
import { useOpenAtHash } from './use-open-at-hash.ts'
import styles from './Help.module.css'

const t = texts.help

const SUGGESTIONS = 3
const SEARCH_FIELD_ID = 'help-search'

/** The link that shows all questions is gone then. */
const focusSearch = (): void => document.getElementById(SEARCH_FIELD_ID)?.focus()

type HelpTopicsProps = {
  sections: TextSection[]
  /** Messages to support can be sent. */
  canWrite: boolean
  /** Below the questions, unless none is found. */
  after: ReactNode
}

export function HelpTopics({ sections, canWrite, after }: HelpTopicsProps) {
  const { values, setFilters } = useUrlFilters(['search'])
  const words = useMemo(() => searchWords(values.search), [values.search])
  const isSearching = words.length > 0
  const found = isSearching ? searchQuestions(sections, words) : sections
  const count = questionCount(found)
  useOpenAtHash()
  return (
    <>
      <SearchField
        id={SEARCH_FIELD_ID}
        className={styles.search}
        label={t.search}
        hint={t.searchHint}
        hideLabel={false}
        clearable
        search={values.search}
        onSearch={search => setFilters({ search })}
        foundText={isSearching ? t.found(count, values.search) : ''}
      />
      {!isSearching ? (
        <TopicTiles sections={sections} canWrite={canWrite} />
      ) : count > 0 ? (
        <p className={styles.found}>
          <strong>{t.found(count, values.search)}</strong>
          <Link to="/help" onClick={focusSearch}>
            {t.showAll}
          </Link>
        </p>
      ) : (
        <>
          <NothingFound search={values.search} {...{ sections, words, canWrite }} />
          <TopicTiles sections={sections} canWrite={canWrite} />
        </>
      )}
      {found.map(section => (
        <TopicSection
          key={section.id}
          section={section}
          words={words}
          isOpen={isSearching && count === 1}
        />
      ))}
      {count > 0 && after}
    </>
  )
}

const TopicTiles = ({ sections, canWrite }: Pick<HelpTopicsProps, 'sections' | 'canWrite'>) => (
  <nav aria-label={t.topics}>
    <ul className={styles.tiles}>
      {sections
        .filter(({ id }) => id !== '')
        .map(({ id, title, questions }) => (
          <li key={id}>
            <Link to={`#${id}`} className={styles.tile}>
              <TopicPicture topic={topicOf(title)} />
              <span>
                <strong>{title}</strong>{' '}
                {questions.length > 0 && <small>{t.answers(questions.length)}</small>}
              </span>
            </Link>
          </li>
        ))}
      {canWrite && (
        <li>
          <Link to="/contact" className={styles.tile}>
            <TopicPicture topic="other" />
            <span>
              <strong>{texts.more.contact}</strong> <small>{t.contactTile}</small>
            </span>
          </Link>
        </li>
      )}
    </ul>
  </nav>
)

type NothingFoundProps = Pick<HelpTopicsProps, 'sections' | 'canWrite'> & {
  search: string
  words: readonly string[]
}

function NothingFound({ search, words, sections, canWrite }: NothingFoundProps) {
  const suggestions = suggestQuestions(sections, words, SUGGESTIONS)
  return (
    <section className={styles.none} aria-labelledby="none">
      <div>
        <h2 id="none">{t.none(search)}</h2>
        <p>{canWrite ? t.noneText : t.noneAlone}</p>
        <div className={styles.ways}>
          {canWrite && (
            <ButtonLink kind="ink" to={contactPath({ subject: search })}>
              {texts.more.contact}
            </ButtonLink>
          )}
          <ButtonLink to="/help" onClick={focusSearch}>
            {t.showAll}
          </ButtonLink>
        </div>
      </div>
      {suggestions.length > 0 && (
        <div>
          <h3>{t.suggestions}</h3>
          <ul className={styles.suggestions}>
            {suggestions.map(({ id, title }) => (
              <li key={id}>
                <Link to={`/help#${id}`}>{title}</Link>
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  )
}

type SearchState = {
  /** Those of the search, which are marked. */
  words: readonly string[]
  /** The only result is open at once. */
  isOpen: boolean
}

function TopicSection({ section, words, isOpen }: SearchState & { section: TextSection }) {
  const { id, title, html, questions } = section
  return (
    <section
      id={id || undefined}
      className={styles.topic}
      aria-label={title || undefined}
      data-found={words.length > 0 || undefined}
    >
      {title !== '' && (
        <h2>
          <Marked text={title} words={words} />
        </h2>
      )}
      <div className={styles.sheet}>
        {html !== '' && <Answer html={html} />}
        {questions.map(question => (
          <Question key={question.id} {...{ question, words, isOpen }} />
        ))}
      </div>
    </section>
  )
}

const Question = ({
  question: { id, title, html },
  words,
  isOpen,
}: SearchState & { question: PageQuestion }) => (
  <details id={id} className={styles.question} open={isOpen}>
    <summary>
      <h3>
        <Marked text={title} words={words} />
      </h3>
    </summary>
    <Answer html={words.length > 0 ? markHtml(html, words) : html} />
  </details>
)

const Marked = ({ text, words }: { text: string; words: readonly string[] }) =>
  words.length === 0
    ? text
    : markText(text, words).map((part, at) =>
        part.isFound ? <mark key={at}>{part.text}</mark> : part.text,
      )

/** Made by the server from markdown, without markup of the file. */
const Answer = ({ html }: { html: string }) => (
  <div className={styles.answer} dangerouslySetInnerHTML={{ __html: html }} />
)

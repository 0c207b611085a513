/** A text of the operator, such as the terms: numbered sections with a table of contents. */
import { useMemo } from 'react'
import { Link } from 'react-router'
import type { TextSection } from '#contract/support.ts'
import { areNumbered } from './help.ts'
import { texts } from './texts.ts'
import { useCurrentSection } from './use-current-section.ts'
import { useOpenAtHash } from './use-open-at-hash.ts'
import styles from './Support.module.css'

/** Fewer sections need no table. */
const LEAST_SECTIONS = 5

type LongTextProps = { html: string; sections: readonly TextSection[]; numbered: boolean }

export function LongText({ html, sections, numbered }: LongTextProps) {
  const titled = useMemo(() => sections.filter(({ title }) => title !== ''), [sections])
  useOpenAtHash()
  const ours = numbered && titled.length > 1 && !areNumbered(titled.map(({ title }) => title))
  return (
    <>
      {titled.length >= LEAST_SECTIONS && <Contents titled={titled} numbered={ours} />}
      {/* Made by the server from markdown; it contains no markup of the file. */}
      <div
        className={styles.text}
        data-numbered={ours || undefined}
        dangerouslySetInnerHTML={{ __html: html }}
      />
    </>
  )
}

type ContentsProps = { titled: readonly TextSection[]; numbered: boolean }

/** A component of its own: the text is not rendered again at each section. */
function Contents({ titled, numbered }: ContentsProps) {
  const current = useCurrentSection(useMemo(() => titled.map(({ id }) => id), [titled]))
  return (
    <nav className={styles.contents} aria-label={texts.contents}>
      <h2>{texts.contents}</h2>
      <ol data-numbered={numbered || undefined}>
        {titled.map(({ id, title }) => (
          <li key={id}>
            <Link to={`#${id}`} aria-current={id === current ? 'location' : undefined}>
              {title}
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  )
}

import { guides } from './content.ts'
import { Method } from './Method.tsx'
import type { TagSection } from './sections.ts'
import { texts } from './texts.ts'
import styles from './Side.module.css'

const REFERENCE = [
  ['objects', texts.objects],
  ['codes', texts.codes],
  ['warnings', texts.warnings],
] as const

/** Search and contents, in groups of which a script opens the one that is read. On a phone the contents are a bar at the top. */
export function Side({ tags }: { tags: readonly TagSection[] }) {
  return (
    <nav className={styles.side} aria-label={texts.contents} data-side="">
      <details open data-contents="">
        <summary className={styles.bar}>
          {texts.contents}
          <span aria-hidden="true" data-here="" />
        </summary>
        <div className={styles.inside}>
          <Search />
          <details open data-group="">
            <summary>{texts.guides}</summary>
            <ul>
              {guides.map(({ id, title }) => (
                <li key={id} data-find={title.toLowerCase()}>
                  <a href={`#${id}`}>{title}</a>
                </li>
              ))}
            </ul>
          </details>
          {tags.map(tag => (
            <details key={tag.name} data-group="">
              <summary>{tag.name}</summary>
              <ul>
                {tag.calls.map((call, at) => (
                  <li key={call.name} data-find={call.find}>
                    <a href={`#${call.name}`} data-from={at === 0 ? tag.id : undefined}>
                      <Method method={call.method} isShort />
                      <span>{call.title}</span>
                    </a>
                  </li>
                ))}
              </ul>
            </details>
          ))}
          <details data-group="">
            <summary>{texts.reference}</summary>
            <ul>
              {REFERENCE.map(([id, text]) => (
                <li key={id} data-find={text.toLowerCase()} data-find-in={id}>
                  <a href={`#${id}`}>{text}</a>
                </li>
              ))}
            </ul>
          </details>
        </div>
      </details>
    </nav>
  )
}

function Search() {
  return (
    <div className={styles.search}>
      <input
        type="search"
        aria-label={texts.search}
        placeholder={texts.searchHint}
        autoComplete="off"
        spellCheck={false}
        data-search=""
      />
      <p
        className={styles.count}
        role="status"
        data-search-count=""
        data-found={texts.found}
        data-nothing={texts.nothing}
      />
    </div>
  )
}

/** The page of the API, rendered at build time from the contract. `main.ts` adds the interaction. */
import '#web/ui/fonts.css'
import '#web/ui/tokens.css'
import '#web/ui/base.css'
import { PRODUCT } from '#contract/product.ts'
import { cx } from '#web/ui/cx.ts'
import { Logo } from '#web/ui/Logo.tsx'
import { CallSection } from './CallSection.tsx'
import { guides, texts } from './content.ts'
import { CodesTable, Guide, MessagesTable, ObjectSection, WarningsTable } from './Guide.tsx'
import { sections } from './sections.ts'
import type { TagSection } from './sections.ts'
import { LANGUAGES } from './snippets.ts'
import button from '#web/ui/Button.module.css'
import styles from './Docs.module.css'
import languageStyles from './Languages.module.css'

export function DocsPage() {
  const { tags, objects } = sections()
  return (
    <>
      <a href="#content" className="skip-link">
        {texts.skip}
      </a>
      <Header />
      <div className={styles.page}>
        <Side tags={tags} />
        <main id="content" tabIndex={-1} className={styles.main} data-copied={texts.copied}>
          <h1>{texts.title}</h1>
          <p className={styles.lead}>{texts.lead}</p>
          <Languages />
          {guides.map(guide => (
            <Guide key={guide.id} guide={guide}>
              {guide.id === 'errors' && (
                <>
                  <CodesTable />
                  <WarningsTable />
                </>
              )}
              {guide.id === 'webhooks' && <MessagesTable />}
            </Guide>
          ))}
          {tags.map(tag => (
            <section key={tag.name} aria-labelledby={tag.id}>
              <h2 id={tag.id} className={styles.tag}>
                {tag.name}
              </h2>
              <p className={styles.tagText}>{tag.description}</p>
              {tag.calls.map(call => (
                <CallSection key={call.name} call={call} />
              ))}
            </section>
          ))}
          <section aria-labelledby="objects">
            <h2 id="objects" className={styles.tag}>
              {texts.objects}
            </h2>
            {objects.map(one => (
              <ObjectSection key={one.name} named={one} />
            ))}
          </section>
        </main>
      </div>
    </>
  )
}

function Header() {
  return (
    <header className={styles.bar}>
      <div className={styles.inside}>
        <a href="/" className={styles.home}>
          <Logo name={PRODUCT} />
        </a>
        <span className={styles.links}>
          <button
            type="button"
            className={cx(button.iconButton, button.iconLarge, styles.theme)}
            data-theme-button=""
            aria-label={texts.dark}
            data-to-light={texts.light}
            data-to-dark={texts.dark}
          >
            <svg className={styles.moon} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
              <path d="M12 3h.4a7.5 7.5 0 0 0 7.9 12.4A9 9 0 1 1 12 3z" />
            </svg>
            <svg className={styles.sun} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
              <circle cx="12" cy="12" r="4" />
              <path d="M12 3v1m0 16v1m9-9h-1M4 12H3m15.4-6.4l-.7.7M6.3 17.7l-.7.7m12.8 0l-.7-.7M6.3 6.3l-.7-.7" />
            </svg>
          </button>
          <a href="/api/openapi.json" className={cx(button.button, button.quiet, styles.optional)}>
            {texts.openapi}
          </a>
          <a href="/login" className={cx(button.button, button.ink)}>
            {texts.login}
          </a>
        </span>
      </div>
    </header>
  )
}

/** Search and contents. Open without scripts; on a phone a script closes it. */
function Side({ tags }: { tags: readonly TagSection[] }) {
  return (
    <nav className={styles.side} aria-label={texts.contents} data-side="">
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
      <details open data-contents="">
        <summary>{texts.contents}</summary>
        <h2>{texts.guides}</h2>
        <ul>
          {guides.map(({ id, title }) => (
            <li key={id}>
              <a href={`#${id}`}>{title}</a>
            </li>
          ))}
        </ul>
        {tags.map(tag => (
          <div key={tag.name} data-group="">
            <h2>{tag.name}</h2>
            <ul>
              {tag.calls.map(call => (
                <li key={call.name} data-find={call.find}>
                  <a href={`#${call.name}`}>{call.title}</a>
                </li>
              ))}
            </ul>
          </div>
        ))}
        <ul>
          <li>
            <a href="#objects">{texts.objects}</a>
          </li>
        </ul>
      </details>
    </nav>
  )
}

function Languages() {
  return (
    <fieldset className={languageStyles.languages}>
      <legend className="visually-hidden">{texts.language}</legend>
      {LANGUAGES.map(({ id }) => (
        <label key={id}>
          <input type="radio" name="language" value={id} defaultChecked={id === 'curl'} />
          {texts.languages[id]}
        </label>
      ))}
    </fieldset>
  )
}

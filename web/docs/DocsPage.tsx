/** The page of the API, rendered at build time from the contract. `main.ts` adds the interaction. */
import '#web/ui/fonts.css'
import '#web/ui/tokens.css'
import '#web/ui/base.css'
import { PRODUCT } from '#contract/product.ts'
import { ThemeButton } from '#web/landing/ThemeButton.tsx'
import { cx } from '#web/ui/cx.ts'
import { Logo } from '#web/ui/Logo.tsx'
import { CallSection } from './CallSection.tsx'
import { ADDRESS, guides } from './content.ts'
import { Guide } from './Guide.tsx'
import { Languages } from './Languages.tsx'
import { Codes, Objects } from './Reference.tsx'
import { sections } from './sections.ts'
import { Side } from './Side.tsx'
import { MessagesTable } from './Tables.tsx'
import { texts } from './texts.ts'
import button from '#web/ui/Button.module.css'
import styles from './Docs.module.css'

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
        <main
          id="content"
          tabIndex={-1}
          className={styles.main}
          data-copied={texts.copied}
          data-by-hand={texts.copyByHand}
        >
          <h1>{texts.title}</h1>
          <p className={styles.lead}>{texts.lead}</p>
          <Facts />
          <div className={styles.onPhones}>
            <Languages group="language" />
          </div>
          {guides.map(guide => (
            <Guide key={guide.id} guide={guide}>
              {guide.id === 'errors' && (
                <p>
                  <a href="#codes">{texts.allCodes}</a>
                </p>
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
          <Objects objects={objects} />
          <Codes />
        </main>
      </div>
    </>
  )
}

/** What every call needs. */
function Facts() {
  return (
    <dl className={styles.base}>
      <div>
        <dt>{texts.base}</dt>
        <dd>
          <code>{ADDRESS}</code>
          <button type="button" data-copy="" className={styles.copy}>
            {texts.copy}
          </button>
        </dd>
      </div>
      <div>
        <dt>{texts.authentication}</dt>
        <dd>
          <a href="#keys">
            <code>{texts.bearer}</code>
          </a>
        </dd>
      </div>
      <div>
        <dt>{texts.description}</dt>
        <dd>
          <a href="/api/openapi.json">{texts.openapi}</a>
        </dd>
      </div>
    </dl>
  )
}

function Header() {
  return (
    <header className={styles.bar}>
      <div className={styles.inside}>
        <a href="/" className={styles.home}>
          <Logo name={PRODUCT} />
        </a>
        <div className={styles.links}>
          <div className={styles.onDesktops}>
            <Languages group="language-bar" />
          </div>
          <ThemeButton name={texts.dark} toLight={texts.light} toDark={texts.dark} />
          <a href="/login" className={cx(button.button, button.ink)}>
            {texts.login}
          </a>
        </div>
      </div>
    </header>
  )
}

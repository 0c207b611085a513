import { SpecimenLabel } from '#web/shell/SpecimenLabel.tsx'
import { cx } from '#web/ui/cx.ts'
import backdrop from './backdrop.svg'
import { content } from './content.ts'
import { LinkButton, IfFactKnown } from './Parts.tsx'
import button from '#web/ui/Button.module.css'
import styles from './Hero.module.css'

const t = content.hero

/** Only the backdrop waits for its image; the text never does. */
export function Hero() {
  return (
    <div className={styles.hero}>
      <div className={styles.panel}>
        <img src={backdrop} alt="" className={styles.backdrop} data-backdrop="" />
        <span className={cx(button.spinner, styles.spinner)} aria-hidden="true" />
      </div>
      <div className={styles.inside}>
        <div className={styles.words}>
          <h1 className={styles.headline}>
            {t.headline.map((line, at) => (
              <span
                key={line}
                className={at === t.headline.length - 1 ? styles.stressed : undefined}
              >
                {line}{' '}
              </span>
            ))}
          </h1>
          <p className={styles.text}>{t.text}</p>
          <div className={styles.actions}>
            <LinkButton
              href="/register"
              kind="money"
              large
              className={styles.start}
              data-wobbles=""
            >
              {t.start}
            </LinkButton>
            <LinkButton href="#pricing" kind="outline" large>
              {t.pricing}
            </LinkButton>
          </div>
          <dl className={styles.facts}>
            {t.facts.map(({ title, text }) => (
              <div key={title}>
                <dt>{title}</dt>
                <dd>{text}</dd>
              </div>
            ))}
          </dl>
        </div>
        <HeroPicture />
      </div>
    </div>
  )
}

/** A weight by its name where no price holds for several weights. */
const weightOf = ({ weight, plain }: { weight: string; plain: string }) =>
  `{{#flat}}${weight}{{/flat}}{{^flat}}${plain}{{/flat}}`

function HeroPicture() {
  const price = (
    <IfFactKnown fact="price">
      <span className={styles.price}>{'{{price}}'}</span>
    </IfFactKnown>
  )
  return (
    <>
      <IfFactKnown fact="flat">
        <p className="visually-hidden">
          {t.art} {t.artPrice}
        </p>
      </IfFactKnown>
      <div className={styles.art} aria-hidden="true">
        <div className={styles.heavy}>
          <SpecimenLabel weight={weightOf(t.anvil)} />
          {price}
        </div>
        <div className={styles.light}>
          <SpecimenLabel parcel={1} weight={weightOf(t.feather)} />
          {price}
        </div>
        <IfFactKnown fact="flat">
          <div className={styles.equation}>
            <b>{t.equation}</b>
            <span>{t.equationText}</span>
          </div>
        </IfFactKnown>
      </div>
    </>
  )
}

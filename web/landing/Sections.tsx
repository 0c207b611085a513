import { cx } from '#web/ui/cx.ts'
import { content } from './content.ts'
import { LinkButton, Section, Stars, IfFactKnown } from './Parts.tsx'
import styles from './Sections.module.css'

export function HowItWorks() {
  const { title, text, steps } = content.how
  return (
    <Section id="how-it-works" title={title} text={text}>
      <ol className={styles.steps}>
        {steps.map((step, at) => (
          <li key={step.title}>
            <span className={styles.number} aria-hidden="true">
              {at + 1}
            </span>
            <h3 className={styles.name}>{step.title}</h3>
            <p className={styles.text}>{step.text}</p>
          </li>
        ))}
      </ol>
    </Section>
  )
}

const SHEETS = Array.from({ length: 24 }, (_, at) => at)

export function WhyChooseUs() {
  const { title, text, main, side, cells } = content.why
  return (
    <Section id="why-choose-us" title={title} text={text}>
      <ul className={styles.reasons}>
        <li className={styles.main}>
          <h3>{main.title}</h3>
          <p>{main.text}</p>
          <span className={styles.sheets} aria-hidden="true">
            {SHEETS.map(at => (
              <i key={at} />
            ))}
          </span>
        </li>
        {[side, ...cells].map((cell, at) => (
          <li key={cell.title} className={cx(at === 0 && styles.side)}>
            <h3 className={styles.name}>{cell.title}</h3>
            <p className={styles.text}>{cell.text}</p>
          </li>
        ))}
      </ul>
    </Section>
  )
}

export function Pricing() {
  const { title, text, price, points, chart, others, light, heavy } = content.pricing
  return (
    <Section id="pricing" title={title} text={text} className={styles.pricing} dark>
      <div>
        <IfFactKnown fact="price">
          <p className={styles.price}>
            {price} <b>{'{{price}}'}</b>
          </p>
        </IfFactKnown>
        <ul className={styles.points}>
          {points.map(point => (
            <li key={point}>{point}</li>
          ))}
        </ul>
      </div>
      <svg className={styles.chart} viewBox="0 0 540 300" role="img" aria-label={chart}>
        <path className={styles.grid} d="M0 50h540M0 112h540M0 174h540M0 236h540" />
        <path className={styles.others} d="M0 232C150 226 230 180 310 124S440 38 540 14" />
        <path className={styles.ours} d="M0 212h540" />
        <circle className={styles.dot} cx="90" cy="212" r="8" />
        <circle className={styles.dot} cx="520" cy="212" r="8" />
        <text className={styles.mark} x="352" y="70" textAnchor="end">
          {others}
        </text>
        <text className={styles.mark} x="90" y="276" textAnchor="middle">
          {light}
        </text>
        <text className={styles.mark} x="520" y="276" textAnchor="middle">
          {heavy}
        </text>
        <IfFactKnown fact="price">
          <text className={styles.even} x="305" y="198" textAnchor="middle">
            {'{{price}}'}
          </text>
        </IfFactKnown>
      </svg>
    </Section>
  )
}

/** The shared name keeps at most one answer open; faq.ts does it for older browsers. */
export function Faq() {
  const { title, entries } = content.faq
  return (
    <Section id="faq" title={title} className={styles.questions}>
      <div>
        {entries.map(entry => (
          <details key={entry.title} name="faq" className={styles.question}>
            <summary>{entry.title}</summary>
            <p>{entry.text}</p>
          </details>
        ))}
      </div>
    </Section>
  )
}

export function Testimonials() {
  const { title, stars, entries, examples } = content.testimonials
  return (
    <Section id="testimonials" title={title}>
      <div className={styles.voices}>
        {entries.map(({ rating, text, name, designation }) => (
          <figure key={name} className={styles.voice}>
            <Stars rating={rating} text={stars(rating)} />
            <blockquote>{text}</blockquote>
            <figcaption>
              {name}, <span>{designation}</span>
            </figcaption>
          </figure>
        ))}
      </div>
      {entries.some(({ example }) => example) && <p className={styles.examples}>{examples}</p>}
    </Section>
  )
}

export function CallToAction() {
  const { title, text, start } = content.ready
  return (
    <Section id="ready" title={title} text={text} className={styles.ready}>
      <LinkButton href="/register" kind="money" large>
        {start}
      </LinkButton>
    </Section>
  )
}

export function Footer() {
  const { community, copyright } = content.footer
  return (
    <footer className={styles.footer}>
      <p>{copyright}</p>
      <IfFactKnown fact="community">
        <a href="{{community}}" target="_blank" rel="noopener noreferrer">
          {community}
        </a>
      </IfFactKnown>
    </footer>
  )
}

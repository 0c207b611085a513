import { CommunityLink, PublicFooter } from '#web/shell/PublicFooter.tsx'
import { SpecimenLabel } from '#web/shell/SpecimenLabel.tsx'
import { content } from './content.ts'
import { LinkButton, Section, Stars, IfFactKnown, IfFactUnknown } from './Parts.tsx'
import { LabelsPicture, RowsPicture, TopUpPicture } from './Pictures.tsx'
import { PriceChart } from './PriceChart.tsx'
import { CoinPicture, GreetingsPicture, StubsPicture } from './ReasonPictures.tsx'
import ready from './Ready.module.css'
import styles from './Sections.module.css'

const STEP_PICTURES = [
  <TopUpPicture key="top-up" />,
  <RowsPicture key="rows" />,
  <LabelsPicture key="labels" />,
]

export function HowItWorks() {
  const { title, text, steps } = content.how
  return (
    <Section id="how-it-works" title={title} text={text}>
      <ol className={styles.steps}>
        {steps.map((step, at) => (
          <li key={step.title}>
            {STEP_PICTURES[at]}
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

const REASON_PICTURES = [
  <GreetingsPicture key="greetings" />,
  <CoinPicture key="coin" />,
  <StubsPicture key="stubs" />,
]

/** Labels of different orders, of the example parcels; those without room are cut off. The weights are a promise only at one price. */
const SHEETS: [parcel: number, weight: string][] = [
  [0, '{{heaviest}} lb'],
  [3, '1 lb'],
  [2, '12 lb'],
  [4, '5 lb'],
  [6, '8 lb'],
]

export function WhyChooseUs() {
  const { title, text, main, side, cells } = content.why
  return (
    <Section id="why-choose-us" title={title} text={text}>
      <ul className={styles.reasons}>
        <li className={styles.main}>
          <h3>{main.title}</h3>
          <p>{main.text}</p>
          <span className={styles.sheets} aria-hidden="true">
            {SHEETS.map(([parcel, weight]) => (
              <SpecimenLabel key={parcel} parcel={parcel} weight={`{{#flat}}${weight}{{/flat}}`} />
            ))}
          </span>
        </li>
        <li className={styles.side}>
          <h3 className={styles.name}>{side.title}</h3>
          <p className={styles.text}>{side.text}</p>
          <ol className={styles.night} aria-hidden="true">
            {side.night.map(stop => (
              <li key={stop}>{stop}</li>
            ))}
          </ol>
        </li>
        {cells.map((cell, at) => (
          <li key={cell.title} className={styles.reason}>
            {REASON_PICTURES[at]}
            <h3 className={styles.name}>{cell.title}</h3>
            <p className={styles.text}>{cell.text}</p>
          </li>
        ))}
      </ul>
    </Section>
  )
}

export function Pricing() {
  const { title, claim, text, price, plainPrice, points } = content.pricing
  const lead = (
    <>
      <IfFactKnown fact="flat">{claim} </IfFactKnown>
      {text}
    </>
  )
  return (
    <Section id="pricing" title={title} text={lead} className={styles.pricing} dark>
      <div>
        <IfFactKnown fact="price">
          <p className={styles.price}>
            <b>{'{{price}}'}</b>{' '}
            <span>
              <IfFactKnown fact="flat">{price}</IfFactKnown>
              <IfFactUnknown fact="flat">{plainPrice}</IfFactUnknown>
            </span>
          </p>
        </IfFactKnown>
        <ul className={styles.points}>
          {points.map(point => (
            <li key={point}>{point}</li>
          ))}
        </ul>
      </div>
      <IfFactKnown fact="flat">
        <PriceChart />
      </IfFactKnown>
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
            <p>
              {entry.text}
              {'hasRefundLink' in entry && (
                <IfFactKnown fact="refunds">
                  {' '}
                  <a href="{{path}}">{'{{title}}'}</a>
                </IfFactKnown>
              )}
            </p>
          </details>
        ))}
      </div>
    </Section>
  )
}

export function Testimonials() {
  const { title, stars, entries, examples } = content.testimonials
  return (
    <Section
      id="testimonials"
      title={title}
      text={entries.some(({ example }) => example) ? examples : undefined}
    >
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
    </Section>
  )
}

export function CallToAction() {
  const { title, text, start } = content.ready
  return (
    <Section id="ready" title={title} text={text} className={ready.ready}>
      <LinkButton href="/register" kind="money" large>
        {start}
      </LinkButton>
      <div className={ready.band} aria-hidden="true">
        <SpecimenLabel parcel={3} weight="{{#flat}}1 lb{{/flat}}" />
        <SpecimenLabel parcel={5} weight="{{#flat}}{{heaviest}} lb{{/flat}}" />
      </div>
    </Section>
  )
}

export function Footer() {
  return (
    <PublicFooter year="{{year}}">
      <IfFactKnown fact="pages">
        <a href="{{path}}">{'{{title}}'}</a>
      </IfFactKnown>
      <IfFactKnown fact="community">
        <CommunityLink href="{{community}}" />
      </IfFactKnown>
    </PublicFooter>
  )
}

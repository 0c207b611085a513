/**
 * Our price by weight, level from 1 lb to the heaviest, and the operator's table of other prices where there is one. The
 * server fills in positions; price-slider.ts moves the parcel.
 */
import { content } from './content.ts'
import { IfFactKnown, IfFactUnknown } from './Parts.tsx'
import styles from './PriceChart.module.css'

const t = content.pricing

export function PriceChart() {
  return (
    <figure className={styles.chart} data-price-chart="">
      <p className="visually-hidden">
        {t.chart} <IfFactKnown fact="other">{t.chartOther}</IfFactKnown>
      </p>
      <Lines />
      <div className={styles.scale}>
        <Feather />
        <input
          type="range"
          className={styles.slider}
          min="1"
          max="{{heaviest}}"
          defaultValue="{{light}}"
          aria-label={t.slider}
          data-slider=""
        />
        <Anvil />
      </div>
      <IfFactKnown fact="other">
        <figcaption className={styles.source}>
          <span className={styles.key}>{'{{name}}'}</span>{' '}
          <IfFactKnown fact="url">
            <a href="{{url}}" target="_blank" rel="noopener noreferrer">
              {t.source}
            </a>
          </IfFactKnown>
          <IfFactUnknown fact="url">{t.source}</IfFactUnknown>
        </figcaption>
      </IfFactKnown>
    </figure>
  )
}

function Lines() {
  return (
    <svg className={styles.plot} aria-hidden="true" focusable="false">
      <IfFactKnown fact="amounts">
        <line className={styles.rule} x2="100%" y1="{{at}}%" y2="{{at}}%" />
        <text className={styles.amount} x="-10" y="{{at}}%" dy="0.35em">
          {'{{text}}'}
        </text>
      </IfFactKnown>
      <IfFactUnknown fact="other">
        <OurPriceAlone />
      </IfFactUnknown>
      <IfFactKnown fact="weights">
        <text className={styles.pounds} x="{{at}}%" y="100%" dy="1.7em">
          {'{{text}}'}
        </text>
      </IfFactKnown>
      <IfFactKnown fact="other">
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" width="100%" height="100%">
          <polyline className={styles.others} points="{{points}}" />
        </svg>
        <Parcel
          y="0%"
          className={styles.other}
          data-parcel="other"
          data-name="{{name}}"
          data-prices="{{prices}}"
        />
      </IfFactKnown>
      <line className={styles.ours} x2="100%" y1="{{line}}%" y2="{{line}}%" />
      <Parcel y="{{line}}%" className={styles.our} data-parcel="our" text={t.parcel} />
    </svg>
  )
}

/** Parcels that grow with their weight, below a price that does not. */
const OurPriceAlone = () => (
  <>
    <linearGradient id="price-level" x2="0" y2="1">
      <stop />
      <stop offset="1" stopOpacity="0" />
    </linearGradient>
    {/* An inner svg cuts off what reaches below the chart. */}
    <svg width="100%" height="100%">
      <rect className={styles.level} y="{{line}}%" width="100%" height="76%" />
    </svg>
    <line className={styles.ground} x2="100%" y1="100%" y2="100%" />
    <text className={styles.amount} x="-12" y="{{line}}%" dy="0.35em">
      {'{{price}}'}
    </text>
    <IfFactKnown fact="weights">
      <line className={styles.drop} x1="{{at}}%" x2="{{at}}%" y1="{{line}}%" y2="100%" />
      <svg
        className={styles.box}
        x="{{left}}%"
        width="{{side}}%"
        height="100%"
        viewBox="0 0 24 24"
        preserveAspectRatio="xMidYMax"
      >
        <rect width="24" height="24" rx="2" />
        <path d="M9.500 0h5v7h-5z" />
        <path d="M4 14h10v6H4z" />
      </svg>
    </IfFactKnown>
  </>
)

type ParcelProps = { y: string; className?: string; text?: string }

/** A dot with its price. It starts at the heaviest weight. `data-` attributes are for the page's script. */
function Parcel({ text, ...rest }: ParcelProps & Record<`data-${string}`, string>) {
  return (
    <svg {...rest} x="100%" overflow="visible">
      <circle r="8" />
      <text y="-18" textAnchor="end">
        {text}
      </text>
    </svg>
  )
}

const Feather = () => (
  <svg className={styles.end} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    <path d="M4 20L14 10M6 18v-6.2C6 6.5 11 4 20 4c0 9-3.5 13-8 14H6M6 14h5M10 10h6" />
  </svg>
)

const Anvil = () => (
  <svg className={styles.end} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    <path d="M8 6h13v3c-3 0-5 1.5-5.5 4 .4 1.700 1.600 2.600 3 3v3H8v-3c1.5-.5 2.5-1.5 2.5-3.5C6.5 12.5 3.5 10 3 7h5z" />
  </svg>
)

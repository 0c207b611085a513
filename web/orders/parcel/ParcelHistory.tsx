import { dateTimeText } from '#web/ui/date-text.ts'
import { StepRail } from '#web/ui/StepRail.tsx'
import type { ParcelStep } from './parcel-steps.ts'
import { texts } from './texts.ts'
import styles from './Parcel.module.css'

/** So many scans of a step are shown; earlier ones are folded. */
const SHOWN = 3

/** The steps of a parcel with their scans, oldest first. */
export const ParcelHistory = ({ steps }: { steps: readonly ParcelStep[] }) => (
  <StepRail
    vertical
    name={texts.progress}
    steps={steps.map(({ name, state, scans, explain }) => ({
      name,
      state,
      ...(explain && { text: <p className={styles.explain}>{explain}</p> }),
      ...(scans.length > 0 && { text: <StepScans scans={scans} /> }),
    }))}
  />
)

function StepScans({ scans }: Pick<ParcelStep, 'scans'>) {
  const folded = scans.length > SHOWN + 1 ? scans.slice(0, -SHOWN) : []
  return (
    <>
      {folded.length > 0 && (
        <details className={styles.earlier}>
          <summary>{texts.earlier(folded.length)}</summary>
          <Scans scans={folded} />
        </details>
      )}
      <Scans scans={scans.slice(folded.length)} />
    </>
  )
}

const Scans = ({ scans }: Pick<ParcelStep, 'scans'>) => (
  <ul className={styles.scans}>
    {scans.map(({ at, text, place }, index) => (
      <li key={index}>
        {text !== '' && <span className={styles.scan}>{text}</span>}
        <span>
          <time dateTime={at}>{dateTimeText(at)}</time>
          {place !== '' && ` · ${place}`}
        </span>
      </li>
    ))}
  </ul>
)

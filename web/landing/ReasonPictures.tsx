/** Small drawings beside the reasons. They repeat what the text says, so screen readers skip them. */
import { IconCheck, IconCurrencyBitcoin } from '@tabler/icons-react'
import { content } from './content.ts'
import styles from './ReasonPictures.module.css'

export const GreetingsPicture = () => (
  <span className={styles.picture} aria-hidden="true">
    {content.why.greetings.map(greeting => (
      <span key={greeting} className={styles.bubble}>
        {greeting}
      </span>
    ))}
  </span>
)

/** From a coin to a label, with nothing between them. */
export const CoinPicture = () => (
  <span className={styles.picture} aria-hidden="true">
    <span className={styles.coin}>
      <IconCurrencyBitcoin />
    </span>
    <span className={styles.way} />
    <span className={styles.sheet} />
  </span>
)

const STUBS = [true, true, true, false, false]

/** A strip of stubs, as on the dashboard. */
export const StubsPicture = () => (
  <span className={styles.picture} aria-hidden="true">
    <span className={styles.strip}>
      {STUBS.map((used, at) => (
        <span key={at} className={styles.stub}>
          {used && <IconCheck />}
        </span>
      ))}
    </span>
  </span>
)

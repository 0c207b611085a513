import styles from './PaperSlip.module.css'

export type SlipTexts = {
  /** One large word, such as '404'. */
  word: string
  service: string
  /** Lines of an address. An empty one is drawn as a grey dash. */
  to: readonly string[]
}

/** A slip of paper that looks like the head of a label. No label: it has no bars and no number. Decoration. */
export const PaperSlip = ({ word, service, to }: SlipTexts) => (
  <div className={styles.slip} aria-hidden="true">
    <div className={styles.word}>{word}</div>
    <div className={styles.service}>{service}</div>
    <div className={styles.to}>
      {to.map((line, at) => (
        <div key={at} className={line === '' ? styles.blank : undefined}>
          {line}
        </div>
      ))}
    </div>
  </div>
)

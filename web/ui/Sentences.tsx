/** A short text of several sentences: where it needs more than one line, each sentence starts one. */
import { Fragment } from 'react'
import styles from './Sentences.module.css'

export const Sentences = ({ text }: { text: string }) =>
  text.split(/(?<=[.!?]) /).map((sentence, i) => (
    <Fragment key={i}>
      {i > 0 && ' '}
      <span className={styles.sentence}>{sentence}</span>
    </Fragment>
  ))

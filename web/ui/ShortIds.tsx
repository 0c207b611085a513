import { partsWithIds, shortId } from './short-ids.ts'
import styles from './ShortIds.module.css'

/** A sentence with its long ids cut in the middle; the pointer shows them whole. No id breaks over two lines. */
export const ShortIds = ({ text }: { text: string }) =>
  partsWithIds(text).map(({ part, isId }, i) =>
    isId ? (
      <span key={i} className={styles.id} title={shortId(part) === part ? undefined : part}>
        {shortId(part)}
      </span>
    ) : (
      part
    ),
  )

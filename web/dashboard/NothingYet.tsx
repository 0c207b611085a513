import { Link } from 'react-router'
import { useShownAccount } from '#web/client/shown-account.tsx'
import { Card } from '#web/ui/Card.tsx'
import styles from './Dashboard.module.css'

type NothingYetProps = {
  title: string
  none: string
  text: string
  /** Where the whole list is. */
  to: string
  linkText: string
}

/** In place of a list of the dashboard without rows: as low as its words. */
export function NothingYet({ title, none, text, to, linkText }: NothingYetProps) {
  const { pathOf } = useShownAccount()
  return (
    <Card
      title={title}
      className={styles.nothingYet}
      action={
        <Link to={pathOf(to) ?? '.'} className={styles.statement}>
          {linkText}
        </Link>
      }
    >
      <div className={styles.nothingWords}>
        <h3 className={styles.nothing}>{none}</h3>
        <p className={styles.nothingText}>{text}</p>
      </div>
    </Card>
  )
}

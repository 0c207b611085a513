import { useLocation } from 'react-router'
import { SpecimenLabel } from './SpecimenLabel.tsx'
import { texts } from './texts.ts'
import styles from './NotFound.module.css'

/** A longer address is cut. */
const MOST_PATH_LENGTH = 60

/** Decoration of a page for an unknown path: a label that is addressed to it. */
export function LostLabel() {
  const { pathname } = useLocation()
  const { service, to } = texts.lostLabel
  return (
    <SpecimenLabel
      className={styles.label}
      service={service}
      to={[to, pathname.slice(0, MOST_PATH_LENGTH)]}
    />
  )
}

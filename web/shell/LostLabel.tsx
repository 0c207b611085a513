import { useLocation } from 'react-router'
import { PRODUCT } from '#contract/product.ts'
import { SpecimenLabel } from './SpecimenLabel.tsx'
import { texts } from './texts.ts'
import styles from './NotFound.module.css'

/** A longer address is cut. */
const MOST_PATH_LENGTH = 60

type LostLabelTexts = { service: string; to: string }

/** The picture of a page for an unknown path: a label that is addressed to it. */
export function useLostLabel({ service, to }: LostLabelTexts = texts.lostLabel) {
  const { pathname } = useLocation()
  return { weight: texts.lostLabel.weight, service, to: [to, pathname.slice(0, MOST_PATH_LENGTH)] }
}

export function LostLabel() {
  return (
    <SpecimenLabel className={styles.label} from={[PRODUCT.toUpperCase()]} {...useLostLabel()} />
  )
}

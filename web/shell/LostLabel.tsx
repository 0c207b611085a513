import { useLocation } from 'react-router'
import { texts } from './texts.ts'

/** A longer address is cut. */
const MOST_PATH_LENGTH = 60

type LostLabelTexts = { weight: string; service: string; to: string }

/** The picture of a page for an unknown path: a label that is addressed to it. */
export function useLostLabel({ weight, service, to }: LostLabelTexts = texts.lostLabel) {
  const { pathname } = useLocation()
  return { weight, service, to: [to, pathname.slice(0, MOST_PATH_LENGTH)] }
}

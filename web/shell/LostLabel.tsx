import { useLocation } from 'react-router'
import type { SlipTexts } from './PaperSlip.tsx'
import { texts } from './texts.ts'

/** A longer address is cut. */
const MOST_PATH_LENGTH = 60

/** The picture of a page for an unknown path, which is printed on it. */
export function useLostLabel(): SlipTexts {
  const { pathname } = useLocation()
  const { word, service, to } = texts.lostLabel
  return { word, service, to: [to, pathname.slice(0, MOST_PATH_LENGTH)] }
}

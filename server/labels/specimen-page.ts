import type { LabelData } from './label-data.ts'
import { deflatePage } from './pdf-objects.ts'
import { LABEL_SHAPE, placeOnHalf, SHEET_HALVES } from './sheet.ts'
import type { SheetHalf } from './sheet.ts'
import { specimenContent } from './specimen.ts'

/** `half`: of a Letter sheet; null on a 4x6 page. */
export type PlacedLabel = { label: LabelData; half: SheetHalf | null }

export type SpecimenPage = readonly PlacedLabel[]

// Each label is drawn as on a page of its own; its position is the same on every sheet.
const HALF_TRANSFORMS = SHEET_HALVES.map(place => placeOnHalf(LABEL_SHAPE, place))

/** The compressed content of a page. Throws for a live tracking number. */
export const drawPage = (page: SpecimenPage): Uint8Array =>
  deflatePage(
    page
      .map(({ label, half }) =>
        half === null
          ? labelLayers(label)
          : `q ${HALF_TRANSFORMS[half - 1]!} ${labelLayers(label)} Q `,
      )
      .join(''),
  )

const labelLayers = (label: LabelData): string => `/G Do ${specimenContent(label)} /M Do`

import type { FieldCode } from '#contract/faults.ts'
import { SHORT_FAULTS } from './texts.ts'

/** The short form of a fault, up to 16 characters; the whole sentence where it has none. */
export const shortFault = (code: FieldCode | undefined, sentence: string): string =>
  (code && SHORT_FAULTS[code]) ?? sentence

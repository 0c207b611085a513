import { COST_SAMPLE } from '#contract/reports.ts'
import type { Context } from '#server/platform/context.ts'
import { selectPoundCosts } from './costs-store.ts'
import type { PoundCost } from './costs-store.ts'

/** What the carrier charged per service and pound, of the newest labels. */
export const readPoundCosts = ({ database }: Context): Promise<PoundCost[]> =>
  selectPoundCosts(database.db, COST_SAMPLE)

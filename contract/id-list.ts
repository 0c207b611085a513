import * as z from 'zod'

/** '81,79,12': at most `most` ids in a query. */
export const idList = (most: number) =>
  z
    .string()
    .max(16 * most)
    .regex(
      new RegExp(`^[1-9]\\d{0,14}(,[1-9]\\d{0,14}){0,${most - 1}}$`),
      `must be up to ${most} ids with commas`,
    )

import * as z from 'zod'
import { SeenFile, SeenRow } from './endpoint.ts'
import { REFUSALS } from './refusals.ts'
import type { RefusalCode } from './refusals.ts'

const Code = z.enum(Object.keys(REFUSALS) as RefusalCode[])

/**
 * Every refusal: `error` repeats `message`; `errors` maps a field to its text, `codes` to its code;
 * `methods`: how the proof of `proof_required` can be given. `rows`, `rowCount` and `file` of `already_bought`: the
 * first rows that have a label, how many there are, and the bulk order of the same file.
 */
export const ErrorResponse = z.object({
  message: z.string(),
  error: z.string(),
  errors: z.record(z.string(), z.string()).optional(),
  code: Code,
  codes: z.record(z.string(), Code).optional(),
  methods: z.array(z.string()).optional(),
  rows: z.array(SeenRow).optional(),
  rowCount: z.number().optional(),
  file: SeenFile.nullable().optional(),
  requestId: z.string().optional(),
})

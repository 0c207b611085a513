import * as z from 'zod'
import { call } from './call.ts'

export const health = call({
  method: 'GET',
  path: '/api/health',
  access: 'anyone',
  summary: 'Whether the house is open; 503 when the database is away',
  also: { 503: 'The database is away' },
  tellsState: true,
  answer: z.object({ ok: z.boolean(), database: z.enum(['up', 'down']), version: z.string() }),
})

/** What the pages must know of the configuration. */
export const house = call({
  method: 'GET',
  path: '/api/house',
  access: 'anyone',
  summary: 'Name, mode and limits for the pages',
  answer: z.object({
    name: z.string(),
    sandbox: z.object({ carrier: z.boolean(), payments: z.boolean() }),
    bulkMaxRows: z.number(),
    paymentScript: z.string(),
    // Whether the carrier says where parcels are.
    followsParcels: z.boolean(),
  }),
})

import * as z from 'zod'
import { defineEndpoint } from './endpoint.ts'

export const healthCheck = defineEndpoint({
  method: 'GET',
  path: '/api/health',
  access: 'anyone',
  summary: 'Whether the house is open; 503 when the database is away',
  otherStatuses: { 503: 'The database is away' },
  sameShapeOnError: true,
  response: z.object({ ok: z.boolean(), database: z.enum(['up', 'down']), version: z.string() }),
})

/** What the pages must know of the configuration. */
export const publicSettings = defineEndpoint({
  method: 'GET',
  path: '/api/house',
  access: 'anyone',
  summary: 'Name, mode and limits for the pages',
  response: z.object({
    name: z.string(),
    sandbox: z.object({ carrier: z.boolean(), payments: z.boolean() }),
    bulkMaxRows: z.number(),
    paymentScript: z.string(),
    // Whether the carrier says where parcels are.
    followsParcels: z.boolean(),
  }),
})

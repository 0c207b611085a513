import * as z from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { PageSummary } from './support.ts'

export const healthCheck = defineEndpoint({
  name: 'healthCheck',
  method: 'GET',
  path: '/api/health',
  access: 'anyone',
  summary: 'Check the health of the service; 503 if the database is unreachable',
  otherStatuses: { 503: 'The database is unreachable' },
  sameShapeOnError: true,
  response: z.object({ ok: z.boolean(), database: z.enum(['up', 'down']), version: z.string() }),
})

export const publicSettings = defineEndpoint({
  name: 'publicSettings',
  method: 'GET',
  path: '/api/house',
  access: 'anyone',
  summary: 'Get public settings: name, mode and limits',
  response: z.object({
    name: z.string(),
    sandbox: z.object({ carrier: z.boolean(), payments: z.boolean() }),
    bulkMaxRows: z.number(),
    paymentScript: z.string(),
    // Whether the carrier reports tracking.
    followsParcels: z.boolean(),
    // `email` null: no messages can be sent. `replyTime`: such as 'one business day'. The pages are those that can be read.
    support: z.object({
      email: z.string().nullable(),
      replyTime: z.string().nullable(),
      pages: z.array(PageSummary),
    }),
    // Where customers talk to each other; null: nowhere.
    communityUrl: z.string().nullable(),
    // Days until the carrier decides on a void; 0: usually at once.
    voidDecisionDays: z.number(),
    // Days between the carrier's confirmation and the refund.
    refundDelayDays: z.number(),
    // Whether the sidebar has the Modal Demo.
    modalDemo: z.boolean(),
  }),
})

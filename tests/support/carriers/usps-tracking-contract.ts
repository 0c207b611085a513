/** The published interface of USPS Tracking 3.2.6, as far as the adapter uses it; facts only, no text of the publisher. */
import { createPublishedContract } from '#tests/support/published-contracts.ts'

const text = { type: 'string', nullable: true }
const moment = { type: 'string' }

export const uspsTrackingContract = createPublishedContract({
  paths: {
    '/tracking/v3/tracking/{trackingNumber}': {
      get: {
        parameters: [
          { in: 'path', name: 'trackingNumber', required: true, schema: { type: 'string' } },
          {
            in: 'query',
            name: 'expand',
            schema: { type: 'string', enum: ['SUMMARY', 'DETAIL'] },
          },
        ],
        responses: {
          200: {
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  properties: {
                    trackingNumber: { type: 'string' },
                    status: { type: 'string' },
                    statusCategory: { type: 'string' },
                    statusSummary: { type: 'string' },
                    expectedDeliveryTimeStamp: moment,
                    predictedDeliveryDate: { type: 'string' },
                    guaranteedDeliveryTimeStamp: moment,
                    trackingEvents: {
                      type: 'array',
                      items: {
                        type: 'object',
                        properties: {
                          eventType: { type: 'string' },
                          eventTimestamp: moment,
                          GMTTimestamp: moment,
                          GMTOffset: { type: 'string' },
                          eventCity: text,
                          eventState: text,
                          eventZIP: text,
                          eventCode: { type: 'string' },
                          name: text,
                        },
                      },
                    },
                  },
                },
              },
            },
          },
          400: {
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  properties: {
                    apiVersion: { type: 'string' },
                    error: {
                      type: 'object',
                      properties: {
                        code: { type: 'string' },
                        message: { type: 'string' },
                        errors: { type: 'array', items: { type: 'object' } },
                      },
                    },
                  },
                },
              },
            },
          },
        },
      },
    },
  },
})

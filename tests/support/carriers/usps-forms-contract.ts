/** USPS SCAN Forms, version 3, as far as the adapter uses it; facts only, no text of the publisher. */
import { createPublishedContract } from '#tests/support/published-contracts.ts'

const text = { type: 'string', minLength: 1 }
const zip = { type: 'string', pattern: '^[0-9]{5}$' }

export const uspsFormsContract = createPublishedContract({
  paths: {
    '/scan-forms/v3/scan-form': {
      post: {
        parameters: [
          {
            in: 'header',
            name: 'X-Payment-Authorization-Token',
            required: true,
            schema: { type: 'string' },
          },
        ],
        requestBody: {
          content: {
            'application/json': {
              schema: {
                type: 'object',
                required: [
                  'mailingDate',
                  'entryFacilityZIPCode',
                  'destinationEntryFacilityType',
                  'shipment',
                  'fromAddress',
                ],
                additionalProperties: false,
                properties: {
                  imageInfo: {
                    type: 'object',
                    properties: {
                      imageType: { type: 'string', enum: ['PDF', 'TIFF', 'JPG', 'SVG', 'NONE'] },
                      labelType: { type: 'string', enum: ['8.5X11LABEL'] },
                    },
                  },
                  mailingDate: { type: 'string', pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' },
                  overwriteMailingDate: { type: 'boolean' },
                  entryFacilityZIPCode: zip,
                  destinationEntryFacilityType: { type: 'string' },
                  shipment: {
                    type: 'object',
                    required: ['trackingNumbers'],
                    properties: { trackingNumbers: { type: 'array', minItems: 1, items: text } },
                  },
                  fromAddress: {
                    type: 'object',
                    required: ['streetAddress', 'city', 'state', 'ZIPCode'],
                    properties: { streetAddress: text, city: text, state: text, ZIPCode: zip },
                  },
                },
              },
            },
          },
        },
        responses: {},
      },
    },
  },
})

/** Every endpoint by area, in the order of the OpenAPI document, and the schemas that have names in it. */
import * as z from 'zod'
import * as accounts from '#contract/accounts.ts'
import * as addresses from '#contract/addresses.ts'
import * as adjustments from '#contract/adjustments.ts'
import * as admin from '#contract/admin.ts'
import * as apiKeys from '#contract/api-keys.ts'
import * as audit from '#contract/audit.ts'
import * as batchFailures from '#contract/batch-failures.ts'
import * as batches from '#contract/batches.ts'
import * as carriers from '#contract/carriers.ts'
import * as catalogue from '#contract/catalogue.ts'
import * as downloads from '#contract/downloads.ts'
import * as emailOwnership from '#contract/email-ownership.ts'
import * as base from '#contract/endpoint.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import * as errorResponse from '#contract/error-response.ts'
import * as imports from '#contract/imports.ts'
import * as ledger from '#contract/ledger.ts'
import * as lossLimits from '#contract/loss-limits.ts'
import * as mails from '#contract/mails.ts'
import * as manualResolution from '#contract/manual-resolution.ts'
import * as orderDetails from '#contract/order-details.ts'
import * as ordersAdmin from '#contract/orders-admin.ts'
import * as orders from '#contract/orders.ts'
import * as parcelPages from '#contract/parcel-pages.ts'
import * as passkeys from '#contract/passkeys.ts'
import * as payments from '#contract/payments.ts'
import * as priceOptions from '#contract/price-options.ts'
import * as priceTables from '#contract/price-tables.ts'
import * as referrals from '#contract/referrals.ts'
import * as refunds from '#contract/refunds.ts'
import * as reports from '#contract/reports.ts'
import * as scanForms from '#contract/scan-forms.ts'
import * as secondFactor from '#contract/second-factor.ts'
import * as skus from '#contract/skus.ts'
import * as support from '#contract/support.ts'
import * as system from '#contract/system.ts'
import * as tracking from '#contract/tracking.ts'
import * as voids from '#contract/voids.ts'
import * as webhooks from '#contract/webhooks.ts'
import * as rows from './bulk-rows.ts'

/** `first`: constants that come before the others of the area. */
type Area = { tag: string; text: string; modules: object[]; first?: readonly string[] }

const ADMINISTRATION = 'Administration'
const SANDBOX = 'Sandbox'

const AREAS: readonly Area[] = [
  {
    tag: 'Labels',
    text: 'Price, buy and list single labels, and follow their parcels.',
    modules: [orders, orderDetails, tracking, parcelPages, priceOptions],
    first: [
      'placeOrder',
      'quotePrice',
      'priceParcelOptions',
      'priceOptions',
      'priceTotals',
      'listOrders',
      'labelDetails',
    ],
  },
  {
    tag: 'Services',
    text: 'The services that a user can buy, with their prices.',
    modules: [catalogue, priceTables, lossLimits],
  },
  {
    tag: 'Voids',
    text: 'Void labels that were not used. The price goes back to the balance.',
    modules: [voids],
    first: ['voidOrder', 'voidOrders'],
  },
  {
    tag: 'Bulk orders',
    text: 'Buy up to thousands of labels with one call and follow their progress.',
    modules: [batches, batchFailures, rows],
    first: ['initBatch', 'processBatch', 'batchStatus', 'listBatches'],
  },
  {
    tag: 'Files',
    text: 'Labels as PDF, ZPL or PNG, packing slips, pick lists and tables.',
    modules: [downloads],
    first: ['downloadFile', 'downloadLabels'],
  },
  {
    tag: 'SCAN forms',
    text: 'One scan at the counter accepts all parcels of a form.',
    modules: [scanForms],
    first: ['scanFormCandidates', 'createScanForms', 'listScanForms', 'downloadScanForm'],
  },
  {
    tag: 'Wallet',
    text: 'The balance, its movements, and deposits.',
    modules: [ledger, payments, adjustments, refunds],
  },
  {
    tag: 'Addresses',
    text: 'Saved sender addresses.',
    modules: [addresses],
    first: ['listAddresses', 'saveAddress'],
  },
  {
    tag: 'SKUs',
    text: 'Weights and measures of products.',
    modules: [skus],
    first: ['listSkus', 'addSkus'],
  },
  { tag: 'Reports', text: 'Figures by day, service and state.', modules: [reports] },
  {
    tag: 'Webhooks',
    text: 'Endpoints of yours that receive a message when something happens.',
    modules: [webhooks],
    first: ['createWebhook', 'listWebhooks', 'updateWebhook', 'deleteWebhook'],
  },
  { tag: 'API keys', text: 'Keys with which programs make calls.', modules: [apiKeys] },
  {
    tag: 'Account',
    text: 'Sign-in, second factors, email addresses and referrals.',
    modules: [accounts, emailOwnership, secondFactor, passkeys, referrals],
  },
  { tag: 'Imports', text: 'How columns of files are read.', modules: [imports] },
  { tag: 'System', text: 'Health, public settings and pages.', modules: [system, support] },
  {
    tag: ADMINISTRATION,
    text: 'For administrators.',
    modules: [admin, ordersAdmin, manualResolution, audit, carriers, mails],
  },
  { tag: SANDBOX, text: 'Payments and purchases of a sandbox.', modules: [base, errorResponse] },
]

/** Tags with their descriptions, in the order of the document. */
export const TAGS = AREAS.map(({ tag, text }) => ({ name: tag, description: text }))

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'path' in value && 'access' in value

/** `constant`: the name under which the endpoint is exported. */
export type TaggedEndpoint = { endpoint: Endpoint; constant: string; tag: string }

const tagOf = ({ path, access }: Endpoint, tag: string): string =>
  path.startsWith('/api/sandbox/') ? SANDBOX : access === 'admin' ? ADMINISTRATION : tag

/** Each endpoint of the contract once. */
export const ENDPOINTS: readonly TaggedEndpoint[] = AREAS.flatMap(
  ({ tag, modules, first = [] }) => {
    // A module's exports come in the order of their names.
    const found = modules.flatMap(module =>
      Object.entries(module).flatMap(([constant, value]) =>
        isEndpoint(value) ? [{ endpoint: value, constant, tag: tagOf(value, tag) }] : [],
      ),
    )
    const placeOf = ({ constant }: TaggedEndpoint): number =>
      first.includes(constant) ? first.indexOf(constant) : first.length
    return found.toSorted((a, b) => placeOf(a) - placeOf(b))
  },
)

const isNamed = (name: string, value: unknown): boolean =>
  /^[A-Z][a-z]/.test(name) && !/(Query|Params)$/.test(name) && value instanceof z.ZodObject

/** The name of every exported object schema that is no query and no path. */
export const SCHEMA_NAMES: ReadonlyMap<z.core.$ZodType, string> = new Map(
  AREAS.flatMap(({ modules }) =>
    modules.flatMap(module =>
      Object.entries(module).flatMap(([name, value]): [z.core.$ZodType, string][] =>
        isNamed(name, value)
          ? [[value as z.ZodType, value === errorResponse.ErrorResponse ? 'Refused' : name]]
          : [],
      ),
    ),
  ),
)

/** SCAN forms: the carrier accepts all parcels of a form by one scan. */
import * as z from 'zod'
import { defineEndpoint, Id, Moment, NextId, AfterId, UserParams } from './endpoint.ts'

/**
 * `asked`: the carrier is asked or makes it. `failed`: refused, its labels are free again.
 * `unknown`: the carrier does not tell whether it made the form.
 */
export const SCAN_FORM_STATES = ['asked', 'made', 'failed', 'unknown'] as const
export type ScanFormState = (typeof SCAN_FORM_STATES)[number]

/** Of one request, and of the list of candidates. */
export const MAX_SCAN_FORM_LABELS = 10_000
/** Of one sender, that the list of candidates describes. */
export const MAX_DESCRIBED_LABELS = 1_000

const Day = z.iso.date()

const Sender = z.object({
  name: z.string(),
  company: z.string(),
  street1: z.string(),
  street2: z.string(),
  city: z.string(),
  state: z.string(),
  zip: z.string(),
})

const Services = z.array(z.object({ name: z.string(), labels: z.number() }))

export const ScanForm = z.object({
  id: Id,
  state: z.enum(SCAN_FORM_STATES),
  day: Day,
  sender: Sender,
  services: Services,
  labels: z.number(),
  voided: z.number(),
  files: z.array(z.string()),
  message: z.string().nullable(),
  createdAt: Moment,
  madeAt: Moment.nullable(),
})
export type ScanForm = z.output<typeof ScanForm>

const SCAN_FORMS_PATH = '/api/orders/scan-forms'

export const listScanForms = defineEndpoint({
  name: 'listScanForms',
  method: 'GET',
  path: `${SCAN_FORMS_PATH}/:userId`,
  access: 'self',
  isPersonal: true,
  scope: 'labels:read',
  summary: 'List SCAN forms, newest first',
  params: UserParams,
  query: z.object({ after: AfterId, limit: z.coerce.number().int().min(1).max(100).default(20) }),
  response: z.object({ scanForms: z.array(ScanForm), next: NextId }),
})

const WaitingLabel = z.object({
  id: Id,
  trackingNumber: z.string(),
  service: z.string(),
  receiver: z.string(),
  city: z.string(),
  state: z.string(),
})
export type WaitingLabel = z.output<typeof WaitingLabel>

/** `ids`: of the labels, in no form yet; `labels`: the first of them, by service. */
const Candidates = z.object({
  sender: Sender,
  services: z.array(z.object({ name: z.string(), labels: z.number(), ids: z.array(Id) })),
  ids: z.array(Id),
  labels: z.array(WaitingLabel),
})
export type ScanFormCandidates = z.output<typeof Candidates>

export const scanFormCandidates = defineEndpoint({
  name: 'scanFormCandidates',
  method: 'GET',
  path: `${SCAN_FORMS_PATH}/:userId/candidates`,
  access: 'self',
  isPersonal: true,
  scope: 'labels:read',
  summary:
    'List the labels of a day (US Eastern time, today without it) that can be put on a SCAN form, by sender: valid, on no form '
    + 'and not scanned. At most 10,000; more tells that there are more',
  params: UserParams,
  query: z.object({
    day: Day.optional(),
    /** How many labels of each sender are described. */
    labels: z.coerce.number().int().min(0).max(MAX_DESCRIBED_LABELS).default(0),
  }),
  response: z.object({
    day: Day,
    today: Day,
    offered: z.boolean(),
    maxLabels: z.number(),
    groups: z.array(Candidates),
    more: z.boolean(),
  }),
})

export const createScanForms = defineEndpoint({
  name: 'createScanForms',
  method: 'POST',
  path: `${SCAN_FORMS_PATH}/:userId`,
  access: 'self',
  scope: 'labels:buy',
  refusals: [404, 409, 422],
  summary:
    'Make SCAN forms of labels, or of those labels of a bulk order that are on none: one form for each sender, and more where the '
    + 'carrier takes fewer labels on a form. 409 names a label that is on a form already',
  otherStatuses: { 202: 'The carrier has not made all of them yet' },
  params: UserParams,
  body: z.object({
    orderIds: z.array(Id).min(1).max(MAX_SCAN_FORM_LABELS).optional(),
    batchId: Id.optional(),
    day: Day.optional(),
  }),
  response: z.object({ scanForms: z.array(ScanForm) }),
})

/** Below a path that the download cookie is valid for. */
export const downloadScanForm = defineEndpoint({
  name: 'downloadScanForm',
  method: 'GET',
  path: '/api/orders/file/scan-form/:scanFormId',
  access: 'signed-in',
  scope: 'labels:read',
  acceptsDownloadCookie: true,
  refusals: [404],
  summary: 'Download a SCAN form to print; part counts its files from 1',
  params: z.object({ scanFormId: Id }),
  query: z.object({ part: z.coerce.number().int().min(1).max(1_000).default(1) }),
  fileTypes: ['application/pdf'],
  response: z.any(),
})

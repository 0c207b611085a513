import type { ScanFormRequest, ScanFormResult, ScanForms } from '#server/carriers/port.ts'
import type { Database } from '#server/platform/database/database.ts'
import { insertScanForm, isScanFormMade, selectUnfitForScanForm } from './scan-forms-store.ts'

/** As many as USPS takes. */
const MAX_LABELS = 40_000

/** Forms that only name labels of the sandbox. The same name is the same form. */
export const sandboxScanForms = (database: Database): ScanForms => ({
  maxLabels: MAX_LABELS,
  quarantineMs: 0,
  async make(request) {
    return database.tx(async (tx): Promise<ScanFormResult> => {
      if (await isScanFormMade(tx, request.name)) return madeForm(request)
      const numbers = request.labels.map(({ trackingNumber }) => trackingNumber)
      const unfit = await selectUnfitForScanForm(tx, numbers)
      if (unfit !== null)
        return {
          kind: 'permanent',
          code: 'LABEL_NOT_FIT',
          message: `Label ${unfit} is unknown, voided or on another form`,
        }
      await insertScanForm(tx, request.name, numbers)
      return madeForm(request)
    })
  },
  async lookup(request) {
    return (await isScanFormMade(database.db, request.name))
      ? madeForm(request)
      : { kind: 'not_made' }
  },
})

const madeForm = ({ name }: ScanFormRequest): ScanFormResult => ({
  kind: 'made',
  ref: `SAMPLE-${name}`,
  files: 'drawn',
})

/** The faulty rows of a file: as sentences, and as a file to correct. */
import type { AvailableService } from '#contract/catalogue.ts'
import { withGroupName } from '#contract/row-rules.ts'
import type { RowErrors } from '#contract/row-rules.ts'
import { FIELDS } from '#contract/rows.ts'
import { shortenText } from '#contract/text.ts'
import { faultyRowsCsv } from '#web/batches/bulk/checks/faulty-file.ts'
import { codesOf, rowValidatorFor } from '#web/batches/bulk/checks/validation.ts'
import type { GridRow } from '#web/batches/grid-row.ts'

export type FaultyRow = { row: GridRow; errors: RowErrors }

/** Finds the errors of a row by the rules of the bulk page. Hints name options of the command line, which has no dropdown. */
export function rowChecker(services: readonly AvailableService[]): (row: GridRow) => RowErrors {
  const validate = rowValidatorFor(services, true)
  return row => {
    const errors = validate(row)
    const text = serviceFault(row.ServiceName, codesOf(errors).ServiceName)
    return text === null ? errors : { ...errors, ServiceName: text }
  }
}

function serviceFault(service: string, code: string | undefined): string | null {
  if (code === 'required')
    return 'Service is missing; name it in the column SERVICE, or pass --service'
  return code === 'service_not_available'
    ? `Service '${shortenText(service)}' is not one of yours; the command services lists them`
    : null
}

/** 'Line 4, Receiver 4: To Zip is required'. */
export function faultText({ row, errors }: FaultyRow): string {
  const texts = FIELDS.flatMap(({ name }) =>
    errors[name] === undefined ? [] : [withGroupName(name, errors[name])],
  )
  const receiver = row.ToRecipientName === '' ? '' : `, ${row.ToRecipientName}`
  return `Line ${row.line}${receiver}: ${texts.join('; ')}`
}

export function faultyCsv(faulty: readonly FaultyRow[]): string {
  const errors = new Map(faulty.map(one => [one.row, one.errors]))
  return faultyRowsCsv([...errors.keys()], row => errors.get(row) ?? {})
}

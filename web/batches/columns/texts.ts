import { countText, plural } from '#contract/format.ts'
import type { ColumnUnit } from '#contract/imports.ts'
import type { RowField } from '#contract/rows.ts'
import { SOURCE_NAMES } from '#contract/sources.ts'
import type { SourceId } from '#contract/sources.ts'
import { shortenText } from '#contract/text.ts'

export const texts = {
  title: 'Match columns',
  intro: (file: string, columns: number) =>
    `${shortenText(file, 100)} has ${countText(columns, 'column')}. Choose what each one is.`,
  introMatched: (file: string, matched: number, columns: number) =>
    `${shortenText(file, 100)}: ${matched} of ${countText(columns, 'column')} matched. `
    + `Check the ${columns - matched === 1 ? 'last one' : 'others'}.`,
  introAll: (file: string, columns: number) =>
    `${shortenText(file, 100)}: all ${countText(columns, 'column')} matched.`,
  sheet: 'Sheet',
  openTitle: (count: number) => `${countText(count, 'column')} to check`,
  openName: 'Columns to check',
  suggested: 'Suggested by its values',
  firstRow: 'First row',
  useAs: (field: string) => `Use as ${field}`,
  receiverTitle: (fields: readonly string[]) =>
    `${new Intl.ListFormat('en-US').format(fields)} ${plural(fields.length, 'has', 'have')} no column yet`,
  receiverFold: 'All rows go to the same receiver',
  missingTitle: 'Same for all rows',
  missingHint: 'The file has no column for these. Enter them once.',
  /** What may be entered for all rows. */
  examples: {
    PackageLength: 'e.g. 9',
    PackageWidth: 'e.g. 6',
    PackageHeight: 'e.g. 3',
    PackageWeight: 'e.g. 1.5',
  } as Partial<Record<RowField, string>>,
  matchedTitle: (count: number) => `${countText(count, 'column')} matched`,
  forAllRows: (field: string) => `${field} for all rows`,
  /** Read out with a measure's field, where the unit stands as its sign. */
  measuredIn: { in: 'in inches', lb: 'in pounds' } as Partial<Record<ColumnUnit, string>>,
  columnsTitle: 'Columns of the file',
  unnamed: (place: number) => `Column ${place}`,
  repeated: (header: string, count: number) => `${header} (${count})`,
  noSamples: 'No values in the first rows',
  sample: (value: string) => shortenText(value, 40),
  notUsed: 'Not used',
  alsoRead: (source: SourceId) =>
    source === 'template'
      ? 'Always read from the template'
      : `Always read for ${SOURCE_NAMES[source]} orders`,
  readIfEmpty: (column: string) => `Read where ${shortenText(column, 60)} is empty`,
  firstName: 'First name',
  lastName: 'Last name',
  partsOfName: 'Parts of To Name',
  cityStateZip: 'City, State & Zip',
  email: 'To Email',
  streetNumber: 'Street number',
  partOfStreet: 'Part of To Street',
  service: 'Service',
  serviceOf: (value: string) => `Service for ${shortenText(value, 60)}`,
  serviceOfPage: 'As chosen on the page',
  servicesIntro: 'Choose our service for each service in the file.',
  tooManyServices: 'This column has too many different values to match, or none.',
  servicesFailed: 'We couldn’t load your services',
  options: 'Beside the service',
  units: 'Units in separate columns',
  weightUnit: 'Weight unit',
  sizeUnit: 'Size unit',
  group: { To: 'To', From: 'From', Package: 'Package', Order: 'Order' },
  unitOf: (column: string) => `Unit of ${column}`,
  fieldMissing: (field: string) => `Choose the column of ${field}, or enter it for all rows.`,
  alreadyUsed: (column: string, field: string) =>
    `'${shortenText(column, 60)}' is already used for ${field}. Choose another field or Not used.`,
  saved: {
    button: 'Saved columns',
    title: 'Saved columns',
    hint: 'Files with the same header row use these columns automatically.',
    usedOn: (day: string) => `Last used ${day}`,
    remove: 'Delete',
    removeName: (name: string) => `Delete the columns of ${name}`,
    removed: (name: string) => `The columns of ${name} are no longer saved.`,
    failed: 'We couldn’t delete these columns. Try again.',
    none: 'You have no saved columns.',
  },
  use: 'Use these columns',
  cancel: 'Cancel',
}

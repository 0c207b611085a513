/** Texts of the dialog that matches the columns of a file with our fields. */
import { shortenText } from '#contract/text.ts'

export const texts = {
  title: 'Match columns',
  intro: (file: string, columns: number) =>
    `${shortenText(file, 100)} has ${columns} columns. Choose what each one is.`,
  sheet: 'Sheet',
  missingTitle: 'Required in every row',
  missingHint:
    'No column is chosen for these yet. Choose one below, or enter one value for all rows.',
  forAllRows: (field: string) => `${field} for all rows`,
  inPounds: 'In pounds',
  inInches: 'In inches',
  columnsTitle: 'Columns of the file',
  unnamed: (place: number) => `Column ${place}`,
  repeated: (header: string, count: number) => `${header} (${count})`,
  noSamples: 'No values in the first rows',
  sample: (value: string) => shortenText(value, 40),
  notUsed: 'Not used',
  firstName: 'First name',
  lastName: 'Last name',
  partsOfName: 'Parts of To Name',
  units: 'Units in a column of their own',
  weightUnit: 'Weight unit',
  sizeUnit: 'Size unit',
  group: { To: 'To', From: 'From', Package: 'Package', Order: 'Order' },
  unitOf: (column: string) => `Unit of ${column}`,
  fieldMissing: (field: string) => `Choose the column of ${field}, or enter it for all rows.`,
  alreadyUsed: (column: string, field: string) =>
    `'${shortenText(column, 60)}' is already read as ${field}. Choose another field or Not used.`,
  saved: {
    button: 'Saved columns',
    title: 'Saved columns',
    hint: 'Files with the same header row are read by these columns at once.',
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

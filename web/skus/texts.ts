import { countText, numberText, plural } from '#contract/format.ts'
import type { SkuField } from '#contract/sku-rules.ts'

const FIELDS: Record<SkuField, string> = {
  sku: 'SKU',
  maxQty: 'Max Quantity',
  weight: 'Weight (lb)',
  length: 'Length (in)',
  width: 'Width (in)',
  height: 'Height (in)',
  description: 'Description',
}

export const texts = {
  title: 'SKU Data Management',
  addTitle: 'Add New SKU',
  editTitle: (sku: string) => `Edit ${sku}`,
  add: 'Add New SKU',
  upload: 'Upload CSV File',
  download: 'Download CSV',
  template: 'CSV Template',
  edit: 'Edit',
  save: 'Save',
  cancel: 'Cancel',
  wait: 'Saving…',
  remove: 'Delete',
  actions: 'Actions',
  more: (sku: string) => `More actions for ${sku}`,
  dismiss: 'Dismiss',
  count: (count: number) => countText(count, 'SKU'),
  search: 'Find SKUs',
  searchHint: 'SKU or description',
  noneFound: 'No matching SKUs',
  noneFoundText: (search: string) => `No SKU or description contains “${search}”.`,
  about: {
    title: 'SKUs as a CSV file',
    drop: 'Drop a CSV file here',
    dropNow: 'Drop the file to upload it',
    format: 'File format',
    rules:
      'The first line names the columns, in any order. Description is optional. SKUs you already have are replaced.',
    example: {
      sku: 'TOTE-7',
      maxQty: '1',
      weight: '1.5',
      length: '8',
      width: '6',
      height: '4',
      description: 'Tote bag, canvas',
    } satisfies Record<SkuField, string>,
    columns: 'A file with one SKU',
  },
  none: 'No SKUs yet',
  notShown: 'We couldn’t load your SKUs',
  notShownText: 'Your saved SKUs are safe. Check your connection and try again.',
  noneText:
    'Saved SKUs fill in weight, size and description on new labels and in bulk rows. Add them one by one or from a CSV.',
  deleteQuestion: 'Are you sure you want to delete this item?',
  deleteSubject: (sku: string) => `SKU ${sku} will be deleted.`,
  deleteConsequence: (parcel: string) =>
    `${parcel}. Bulk orders will ask for its weight and size again.`,
  taken: 'This SKU already exists',
  maxQtyHint: 'How many fit in one package. Bulk rows with more are flagged.',
  noDescription: '–',
  fields: FIELDS,
  failed: {
    load: 'Error fetching SKU data',
    add: 'Error adding new SKU',
    upload: 'Error uploading file',
    update: 'Failed to update the row.',
    remove: 'Failed to delete the row.',
    submit: 'Submission failed',
  },
  done: {
    add: 'New SKU Data Added',
    upload: 'CSV Uploaded Successfully',
    update: 'Row updated successfully!',
    remove: 'Row deleted successfully!',
  },
  card: {
    maxQty: (count: number) => `Max ${numberText(count)} per package`,
    parcel: (weight: number, length: number, width: number, height: number) =>
      `${weight} lb, ${length} × ${width} × ${height} in`,
  },
  file: {
    name: 'skus.csv',
    wrongType: 'Only .csv files are accepted here.',
    noRecords: 'The file has a header line and no records below it.',
    measuresRead: (count: number, example: string) =>
      `${countText(count, 'measure')} read in pounds and inches, such as ${example}.`,
    missingColumns: (missing: string, all: string) =>
      `This file has no column ${missing}. The first line must name ${all}.`,
    tooLarge: 'The file is larger than 8 MB. Split it and upload the parts.',
    tooMany: (count: number, most: number) =>
      `The file has ${countText(count, 'record')}. The limit is ${numberText(most)} per upload. Split it and upload the parts.`,
    unreadable: 'We couldn’t read this file. It may have been moved or changed since you chose it.',
    nothing: (bad: number, total: number) =>
      `Nothing was uploaded: ${numberText(bad)} of ${countText(total, 'record')} ${plural(bad, 'has', 'have')} errors. `
      + 'Fix the file and upload it again.',
    errors: (name: string) => `Errors in ${name}`,
    taken: (name: string, added: number, replaced: number) =>
      replaced === 0
        ? `${name}: ${countText(added, 'SKU')} added.`
        : `${name}: ${countText(added, 'SKU')} added, ${numberText(replaced)} replaced.`,
    columns: { row: 'Row', field: 'Field', message: 'Message' },
    row: (row: number) => `Row ${numberText(row)}`,
  },
}

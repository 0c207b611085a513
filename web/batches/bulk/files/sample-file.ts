/** A file in the columns of the template, to try the page with. Two of its rows are faulty. */
import { csvLine } from '#contract/csv.ts'
import { TEMPLATE_FIELDS, TEMPLATE_HEADERS } from '#contract/rows.ts'
import type { BulkRow } from '#contract/rows.ts'

type SampleRow = [
  name: string,
  street: string,
  city: string,
  state: string,
  zip: string,
  size: string,
  weight: string,
]

/** The seventh row has a ZIP that lacks a digit, the ninth one no weight. */
const SAMPLE_ROWS: SampleRow[] = [
  ['June Rivera', '118 SW Alder St', 'Portland', 'OR', '97204', '9 6 3', '0.75'],
  ['Marcus Bell', '2200 Guadalupe St', 'Austin', 'TX', '78705', '9 6 3', '1.5'],
  ['Priya Nair', '1440 Market St', 'Denver', 'CO', '80202', '12 9 4', '3'],
  ['Hannah Ostrom', '515 Pine St Apt 4', 'Seattle', 'WA', '98101', '9 6 3', '0.75'],
  ['Theo Lindqvist', '233 S Wacker Dr', 'Chicago', 'IL', '60606', '14 10 6', '8'],
  ['Nora Whitfield', '60 Beacon St', 'Boston', 'MA', '02108', '9 6 3', '1'],
  ['Diego Santos', '90 SW 8th St', 'Miami', 'FL', '3313', '12 9 4', '2.25'],
  ['Grace Kim', '3 E Van Buren St', 'Phoenix', 'AZ', '85004', '9 6 3', '0.5'],
  ['Owen Parrish', '84 Walton St NW', 'Atlanta', 'GA', '30303', '12 9 4', ''],
  ['Lila Moreau', '500 Church St', 'Nashville', 'TN', '37219', '18 12 8', '15'],
]

const SENDER: Partial<BulkRow> = {
  FromSenderName: 'Sample Shop',
  FromStreet1: '401 Terry Ave N',
  FromCity: 'Seattle',
  FromStateProvince: 'WA',
  FromZipPostal: '98109',
}

function sampleFields([name, street, city, state, zip, size, weight]: SampleRow): Partial<BulkRow> {
  const [length = '', width = '', height = ''] = size.split(' ')
  return {
    ...SENDER,
    ToRecipientName: name,
    ToStreet1: street,
    ToCity: city,
    ToStateProvince: state,
    ToZipPostal: zip,
    PackageLength: length,
    PackageWidth: width,
    PackageHeight: height,
    PackageWeight: weight,
  }
}

const SAMPLE_FILE_NAME = 'sample-orders.csv'

export const sampleFile = (): File => {
  const lines = SAMPLE_ROWS.map(sampleFields).map(row =>
    csvLine(TEMPLATE_FIELDS.map(field => row[field])),
  )
  return new File([csvLine(TEMPLATE_HEADERS), ...lines], SAMPLE_FILE_NAME, { type: 'text/csv' })
}

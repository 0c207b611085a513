import { expect, test } from 'vitest'
import { readAdjustments } from './read-file.ts'

const read = (header: string, ...lines: string[]) =>
  readAdjustments([header, ...lines].map(line => line.split(';')))
const faultTexts = (header: string, ...lines: string[]) =>
  read(header, ...lines).faults.map(({ row, column, text }) => `${row} ${column}: ${text}`)

test('EasyPost’s shipment invoice report is read by its published columns', () => {
  const { lines, faults, ignoredColumns } = read(
    'shipment_id;label_date;carrier_account_id;carrier;tracking_code;carrier_invoice_id;status;quoted_currency;'
      + 'initially_paid_amount;quoted_amount;claimed_weight;claimed_length;claimed_service;final_invoice_amount;'
      + 'captured_weight;captured_length;captured_service;report_date',
    'shp_1;2026-11-01T14:16:44Z;ca_1;USPS;9400100000000000000001;inv9;processed;USD;5.10000;5.1;32.0;10;Ground;7.35;'
      + '50.5;10;Ground;2026-11-21',
  )
  expect(faults).toEqual([])
  expect(ignoredColumns).toEqual(['carrier_account_id', 'status', 'quoted_amount'])
  expect(lines).toEqual([
    {
      row: 2,
      key: expect.stringMatching(/^[0-9a-f]{64}$/),
      id: '',
      carrier: 'USPS',
      trackingNumber: '9400100000000000000001',
      amount: 225,
      isTotal: true,
      reportedOn: '2026-11-21',
      day: '2026-11-01',
      reason: '',
      declared: { weightOz: 32, lengthIn: 10, service: 'Ground' },
      measured: { weightOz: 50.5, lengthIn: 10, service: 'Ground' },
    },
  ])
})

test('a plain file needs a number, an amount and a date or an id', () => {
  const { lines } = read(
    'Tracking Number;Amount;Date;Reason;Declared weight (oz);Measured weight (oz);Measured zone',
    "'9400 1000 0000;$1,250.00;11/20/2026;Too heavy;16;20;5",
    '',
    '9400100;(1.25);2026-11-20 08:00;;;;',
  )
  expect(
    lines.map(({ row, trackingNumber, amount, day }) => [row, trackingNumber, amount, day]),
  ).toEqual([
    [2, '940010000000', 1_250_00, '2026-11-20'],
    [4, '9400100', -1_25, '2026-11-20'],
  ])
  expect(lines[0]).toMatchObject({
    reason: 'Too heavy',
    declared: { weightOz: 16 },
    measured: { weightOz: 20, zone: '5' },
  })
})

test('each fault names row, column, value and remedy', () => {
  expect(faultTexts('number;sum')).toEqual([
    '1 tracking_number: No column has the tracking numbers; name that column "tracking_number"',
    '1 amount: No column has the amounts; name the column with the changes of the cost "amount"',
    expect.stringContaining('1 date: No column tells one correction from the next'),
  ])
  expect(
    faultTexts(
      'tracking_number;amount;date;currency;measured_weight_oz',
      '9.4001E+21;1.255;20.11.2026;EUR;two',
      ';;;;',
      ';1;;;',
      '94;99999;2026-02-30;;',
    ),
  ).toEqual([
    expect.stringContaining('2 tracking_number: A spreadsheet shortened'),
    expect.stringContaining("2 amount: '1.255' is not a valid amount; write dollars"),
    "2 date: '20.11.2026' is not a valid date; write it as 2026-11-20",
    "2 measured_weight_oz: 'two' is not a valid number; write ounces or inches, such as 12.5",
    '2 currency: The currency is EUR; only USD is read',
    '4 tracking_number: The tracking number is missing',
    '4 date: The line has neither a date nor an id; fill one of them',
    expect.stringContaining("5 amount: '99999' is not a valid amount"),
    "5 date: '2026-02-30' is not a valid date; write it as 2026-11-20",
  ])
})

test('a line is the same in any file: by the carrier’s id, else by its facts, in any state', () => {
  const keyOf = (header: string, line: string) => read(header, line).lines[0]!.key
  const header = 'tracking_number;amount;date;status;id'
  const first = keyOf(header, '94;1.20;2026-11-20;processed;')
  expect(keyOf(header, '94;$1.20;11/20/2026;disputed;')).toBe(first)
  expect(keyOf('date;tracking;amount', '2026-11-20;94;1.2')).toBe(first)
  expect(keyOf(header, '94;1.30;2026-11-20;processed;')).not.toBe(first)
  const named = keyOf(header, '94;1.20;2026-11-20;;adj_1')
  expect(named).not.toBe(first)
  expect(keyOf(header, '94;1.20;2026-11-21;;adj_1')).toBe(named)
})

test('one id with other facts in a file is a fault, not a repeat', () => {
  const header = 'id;tracking_number;amount'
  expect(faultTexts(header, '1;94;1.20', '1;94;1.2', '2;95;1', '1;95;3')).toEqual([
    '5 id: The line has the id 1 with 95 and $3.00, but row 2 has 94 and $1.20 under it. '
      + 'Write the carrier’s own ids, or take the column out',
  ])
})

test('a comma is read between groups of three, and never as a decimal point', () => {
  const amounts = (text: string) =>
    read('tracking_number;amount;date', `94;${text};2026-11-20`).lines.map(({ amount }) => amount)
  expect(['1,250', '$1,250.5', '-1,250.00'].map(amounts)).toEqual([
    [1250_00],
    [1250_50],
    [-1250_00],
  ])
  for (const text of ['1,25', '12,5', '1,2500', '0,99', '1250,00', '1,250,0'])
    expect(faultTexts('tracking_number;amount;date', `94;${text};2026-11-20`)).toEqual([
      expect.stringContaining(`'${text}' is not a valid amount`),
    ])
})

test('a file with two columns of amounts is refused: it does not tell which one customers pay', () => {
  expect(faultTexts('tracking_number;Amount;amount;date;date', '94;0.15;9;2026-11-20;')).toEqual([
    '1 amount: The column amount is there more than once; take out all but one',
    '1 date: The column date is there more than once; take out all but one',
  ])
  expect(
    faultTexts('tracking_number;amount;Adjustment amount;date', '94;7.20;0.40;2026-11-20'),
  ).toEqual([
    '1 adjustment_amount: The columns amount and adjustment_amount both have amounts; '
      + 'take out the one that is not the change of the cost',
  ])
  expect(read('note;tracking_number;amount;date;note', 'a;94;1;2026-11-20;b').faults).toEqual([])
})

const REPORT = 'tracking_code;label_date;initially_paid_amount;final_invoice_amount;report_date'

test('rows of a report without a final amount are counted, and the others are read', () => {
  const { lines, faults, open } = read(
    REPORT,
    '94;2026-11-01;5.10;;2026-11-21',
    '95;2026-11-01;5.10;6.10;2026-11-21',
    ';;;;2026-11-21',
  )
  expect([lines.map(({ row }) => row), faults, open]).toEqual([[3], [], 1])
})

test('whole changes need the last day of their report, which tells the newer one', () => {
  expect(
    faultTexts(
      REPORT,
      '94;2026-11-01;5;6;',
      '95;2026-11-01;5;6;2999-01-01',
      '96;2026-11-01;5;6;2026-11-21',
      '96;2026-11-01;5;7;2026-11-21',
    ),
  ).toEqual([
    expect.stringContaining('2 report_date: The line has the whole change of a label'),
    '5 null: The change of 96 is $2.00, but for a report of 2026-11-21 row 4 has $1.00. '
      + 'If this report is newer, name its own last day',
  ])
})

test('rows of a part are named as in the whole file', () => {
  const { faults } = readAdjustments(
    [
      ['tracking_number', 'amount', 'id'],
      ['94', 'x', '1'],
    ],
    502,
  )
  expect(faults[0]!.row).toBe(502)
})

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
      + 'captured_weight;captured_length;captured_service',
    'shp_1;2026-11-01T14:16:44Z;ca_1;USPS;9400100000000000000001;inv9;processed;USD;5.10000;5.1;32.0;10;Ground;7.35;'
      + '50.5;10;Ground',
  )
  expect(faults).toEqual([])
  expect(ignoredColumns).toEqual(['carrier_account_id', 'status', 'quoted_amount'])
  expect(lines).toEqual([
    {
      row: 2,
      key: expect.stringMatching(/^[0-9a-f]{64}$/),
      carrier: 'USPS',
      trackingNumber: '9400100000000000000001',
      amount: 225,
      isTotal: true,
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
    '1 tracking_number: No column has the tracking numbers; name it tracking_number',
    '1 amount: No column has the amounts; name the one with the change of the cost amount',
    expect.stringContaining('1 date: No column tells one correction from the next'),
  ])
  expect(faultTexts('tracking_number;amount;date')).toEqual([
    '1 null: The file has no lines below its first one',
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
    expect.stringContaining("2 amount: '1.255' is no amount; write dollars"),
    "2 date: '20.11.2026' is no date; write it as 2026-11-20",
    "2 measured_weight_oz: 'two' is no number; write ounces or inches, such as 12.5",
    '2 currency: The currency is EUR; only USD is read',
    '4 tracking_number: The tracking number is missing',
    '4 date: The line has neither a date nor an id; fill one of them',
    expect.stringContaining("5 amount: '99999' is no amount"),
    "5 date: '2026-02-30' is no date; write it as 2026-11-20",
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
  expect(keyOf(header, '94;9.99;2026-11-21;;adj_1')).toBe(named)
})

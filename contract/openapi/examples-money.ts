import { listAdjustments } from '#contract/adjustments.ts'
import { currentKey } from '#contract/api-keys.ts'
import * as ledger from '#contract/ledger.ts'
import * as payments from '#contract/payments.ts'
import type { Deposit } from '#contract/payments.ts'
import { listRefunds } from '#contract/refunds.ts'
import * as reports from '#contract/reports.ts'
import { exampleOf } from './example.ts'
import type { Examples } from './example.ts'
import { ME } from './examples-labels.ts'

const FROM = '2026-11-14T05:00:00.000Z'
const WEEK = { days: 7, timezone: 'America/New_York' } as const
const SALES = { labels: 42, charged: 273, voided: 1, refunded: 6.5 }
const PACE = { days: 14, perDay: 262.75 }
const DEPOSIT: Deposit = {
  _id: '5',
  invoiceId: 'Q7RqzSnr1Hz8mHUf',
  amount: 500,
  credited: 500,
  requested: 500,
  createdTime: 1_795_186_800,
  status: 'Settled',
  note: null,
}

export const MONEY_EXAMPLES: Examples = {
  ...exampleOf(currentKey, {
    response: {
      userId: '17',
      mode: 'test',
      key: {
        _id: '2',
        name: 'Warehouse',
        prefix: 'evp_test_',
        last4: 'x7Qp',
        scopes: ['labels:buy', 'labels:read'],
        dailyLimit: 200,
        spentToday: 6.5,
        createdAt: '2026-11-20T15:00:00.000Z',
        expiresAt: null,
        lastUsedAt: '2026-11-20T15:04:00.000Z',
        replacedBy: null,
      },
    },
  }),
  ...exampleOf(ledger.statement, {
    params: ME,
    query: { limit: 100 },
    response: {
      entries: [
        {
          at: '2026-11-20T15:04:05.000Z',
          kind: 'hold',
          amount: -6.5,
          balance: 493.5,
          orderId: '81',
          round: 1,
        },
        {
          at: '2026-11-20T14:00:00.000Z',
          kind: 'deposit',
          amount: 500,
          balance: 500,
          invoiceId: DEPOSIT.invoiceId,
        },
      ],
      totalCount: 2,
    },
  }),
  ...exampleOf(listRefunds, {
    params: ME,
    response: {
      refunds: [
        {
          orderId: '81',
          trackingNumber: '9400100000000000000017',
          service: 'USPS Ground Advantage',
          receiver: 'June Rivera',
          amount: 6.5,
          state: 'pending',
          requestedAt: '2026-11-20T15:04:05.000Z',
          expectedAt: null,
          refundedAt: null,
          automatic: false,
          inDoubt: false,
          confirmed: false,
          stopped: false,
          reason: null,
        },
      ],
      totalCount: 1,
      pending: { count: 1, amount: 6.5 },
      refunded: { count: 0, amount: 0 },
      refused: { count: 0, amount: 0 },
      automatic: { count: 0, amount: 0 },
    },
  }),
  ...exampleOf(listAdjustments, {
    params: ME,
    query: { orderId: '81' },
    response: {
      adjustments: [
        {
          _id: '3',
          orderId: '81',
          trackingNumber: '9400100000000000000017',
          day: '2026-11-19',
          reason: 'weight 50 oz, declared 32 oz',
          amount: 2.25,
          waiting: 0,
          creditedBack: 0,
          state: 'charged',
          declared: { weightOz: 32 },
          measured: { weightOz: 50 },
          dispute: null,
          createdAt: '2026-11-20T15:04:05.000Z',
        },
      ],
      totalCount: 1,
      waiting: { count: 0, amount: 0 },
    },
  }),
  ...exampleOf(ledger.statementCsv, { params: ME, query: { format: 'xlsx' } }),
  ...exampleOf(ledger.walletTrend, {
    params: ME,
    query: { timezone: 'America/New_York' },
    response: { days: [{ day: '2026-11-20', deposited: 500, spent: 6.5 }] },
  }),
  ...exampleOf(payments.listDeposits, {
    params: ME,
    query: { filter: 'Settled' },
    response: { deposits: [DEPOSIT], totalCount: 1 },
  }),
  ...exampleOf(payments.recentDeposits, { params: ME, query: { limit: 5 }, response: [DEPOSIT] }),
  ...exampleOf(reports.salesReport, {
    params: ME,
    query: WEEK,
    response: {
      from: FROM,
      days: [
        {
          day: '2026-11-20',
          ...SALES,
          services: [{ service: 'usps:GROUND_ADVANTAGE', ...SALES }],
        },
      ],
      services: [{ service: 'usps:GROUND_ADVANTAGE', name: 'USPS Ground Advantage', ...SALES }],
      totals: SALES,
    },
  }),
  ...exampleOf(reports.destinationReport, {
    params: ME,
    query: WEEK,
    response: { from: FROM, states: [{ state: 'CA', labels: 42 }], labels: 42 },
  }),
  ...exampleOf(reports.balanceReport, {
    params: ME,
    query: WEEK,
    response: {
      from: FROM,
      balance: 493.5,
      held: 0,
      points: [
        { at: FROM, balance: 0, held: 0 },
        { at: '2026-11-20T14:00:00.000Z', balance: 500, held: 0 },
      ],
      deposits: [{ at: '2026-11-20T14:00:00.000Z', amount: 500 }],
      pace: PACE,
      daysLeft: 1,
    },
  }),
  ...exampleOf(reports.taskReport, {
    params: ME,
    response: {
      failedBatches: {
        count: 1,
        labels: 1,
        batches: [
          { orderId: '7', name: 'november.csv', labels: 1, createdAt: '2026-11-20T15:04:05.000Z' },
        ],
      },
      openInvoices: { count: 0, invoices: [] },
      lowBalance: { balance: 493.5, daysLeft: 1, pace: PACE },
    },
  }),
}

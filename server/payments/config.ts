import { z } from 'zod'
import { baseUrl, choice, integerBetween, jsonText } from '#server/platform/variables.ts'
import type { Requirement, ValuesOf } from '#server/platform/variables.ts'
import { DeliveryPlan } from './sandbox/delivery-plan.ts'

const SPEEDS = ['MediumSpeed', 'LowMediumSpeed', 'LowSpeed'] as const
/** BTCPay's names for the confirmations after which a payment counts: 1, 2 or 6 blocks. */
const btcpaySpeed = z.enum(SPEEDS, {
  error: ({ input }) =>
    input === 'HighSpeed'
      ? `would credit payments that no block has confirmed, and a balance is spent at once; put ${SPEEDS.join(', ')} there`
      : `must be ${SPEEDS.join(' or ')}`,
})

export const PAYMENT_VARIABLES = {
  PAYMENTS: choice('sandbox', 'btcpay').default('sandbox'),
  SANDBOX_PAYMENTS_FAULTS: jsonText.pipe(DeliveryPlan).optional(),
  BTCPAY_URL: baseUrl.optional(),
  BTCPAY_API_KEY: z.string().optional(),
  BTCPAY_STORE_ID: z
    .string()
    .regex(/^\w{1,100}$/, "must be the store's id, letters and digits")
    .optional(),
  BTCPAY_WEBHOOK_SECRET: z.string().optional(),
  BTCPAY_SPEED_POLICY: btcpaySpeed.default('MediumSpeed'),
  BTCPAY_EXPIRATION_MINUTES: integerBetween(5, 1_440).default(15),
}

export const PAYMENT_REQUIREMENTS: Requirement[] = [
  {
    when: 'PAYMENTS',
    is: 'btcpay',
    variables: ['BTCPAY_URL', 'BTCPAY_API_KEY', 'BTCPAY_STORE_ID', 'BTCPAY_WEBHOOK_SECRET'],
  },
]

export const paymentConfig = (v: ValuesOf<typeof PAYMENT_VARIABLES>) => ({
  payments: v.PAYMENTS,
  sandboxPaymentsFaults: v.SANDBOX_PAYMENTS_FAULTS,
  btcpay: {
    url: v.BTCPAY_URL,
    apiKey: v.BTCPAY_API_KEY,
    storeId: v.BTCPAY_STORE_ID,
    webhookSecret: v.BTCPAY_WEBHOOK_SECRET,
    speedPolicy: v.BTCPAY_SPEED_POLICY,
    expirationMinutes: v.BTCPAY_EXPIRATION_MINUTES,
  },
})

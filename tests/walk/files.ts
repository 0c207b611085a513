/** The files that the operator uploads on the first day. */
import { cents, decimal } from '#contract/money.ts'
import type { WalkCarrier } from './carriers.ts'

export const PRICE_FILE = `service,up_to,unit,price
usps:GROUND_ADVANTAGE,8,oz,6.99
usps:GROUND_ADVANTAGE,5,lb,8.25
usps:GROUND_ADVANTAGE,70,lb,14.40
usps:PRIORITY_MAIL,70,lb,9.15
usps:PRIORITY_MAIL_EXPRESS,70,lb,24.00
`

/** What the carrier charges, at any weight. */
export const costFile = ({ ground, priority, express }: WalkCarrier['costs']): string =>
  `service,up_to,unit,price
usps:GROUND_ADVANTAGE,70,lb,${decimal(cents(ground))}
usps:PRIORITY_MAIL,70,lb,${decimal(cents(priority))}
usps:PRIORITY_MAIL_EXPRESS,70,lb,${decimal(cents(express))}`

/** Labels that cost `paid` cents, with the cents that they cost more by tracking number, as EasyPost's report has them. */
export const correctionFile = (paid: number, changes: Record<string, number>): string =>
  [
    'tracking_code,label_date,initially_paid_amount,final_invoice_amount,report_date',
    ...Object.entries(changes).map(
      ([tracking, change]) =>
        `${tracking},2026-11-20,${decimal(cents(paid))},${decimal(cents(paid + change))},2026-11-20`,
    ),
  ].join('\n')

/** Parts of an order as the lists of customers and administrators show them. */
import { townText } from '#contract/format.ts'
import type { Order } from '#contract/orders.ts'

type OrderAddress = Pick<Order, 'receiver'>['receiver']

export const orderKey = ({ _id }: Pick<Order, '_id'>): string => _id

export const receiverName = ({ receiver }: Pick<Order, 'receiver'>): string =>
  receiver.receiver_name ?? ''

/** 'Fresno, CA'. */
export const cityText = (address: OrderAddress, side: 'sender' | 'receiver'): string =>
  [townText(address[`${side}_city`] ?? ''), address[`${side}_state_province`]]
    .filter(Boolean)
    .join(', ')

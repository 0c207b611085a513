import { countText, numberText, plural } from '#contract/format.ts'

/** Whose balance a void refunds: the user's own, or a customer's if an administrator voids. */
export type BalanceOwner = 'own' | 'customer'
const BALANCE_TEXT: Record<BalanceOwner, string> = {
  own: 'your balance',
  customer: 'the customer’s balance',
}
const REFUND_TEXT: Record<BalanceOwner, string> = {
  own: 'You get',
  customer: 'The customer gets',
}

export const texts = {
  void: 'Void',
  voidName: (name: string) => `Void label for ${name}`,
  voidSeveral: (count: number) => `Void ${countText(count, 'label')}`,
  tooMany: (most: number) => `You can void up to ${numberText(most)} labels at once`,
  choose: (name: string) => `Select label for ${name}`,
  chooseAll: 'Select all labels on this page',
  chosen: (count: number, amount: string) => `${countText(count, 'label')} selected, ${amount}`,
  question: (count: number) =>
    count === 1 ? 'Void this label?' : `Void ${countText(count, 'label')}?`,
  refund: (amount: string, owner: BalanceOwner) =>
    `${REFUND_TEXT[owner]} ${amount} back once the carrier confirms.`,
  free: 'Nothing was charged, so there is no refund.',
  permanent: (count: number) =>
    plural(
      count,
      'The label becomes invalid. Don’t ship with it, even if it is printed.',
      'The labels become invalid. Don’t ship with them, even if they are printed.',
    ),
  onForm: (labels: number) =>
    `${countText(labels, 'label is', 'labels are')} on a SCAN form that still counts `
    + `${plural(labels, 'it. Don’t hand over that parcel.', 'them. Don’t hand over those parcels.')}`,
  steps: {
    name: 'Steps of a void',
    request: 'We ask the carrier',
    requested: 'Void requested',
    now: 'Now',
    sending: 'Being sent to the carrier',
    accepted: 'The carrier accepted the request',
    confirms: 'The carrier confirms',
    atOnce: 'Usually right away',
    days: (days: number) => `Takes ${numberText(days)} days or more`,
    day: (day: number, days: number) =>
      `Day ${numberText(day)}, takes ${numberText(days)} days or more`,
    waiting: 'Waiting for its answer',
    back: (amount: string, owner: BalanceOwner) => `${amount} is back in ${BALANCE_TEXT[owner]}`,
    after: 'Right after that',
    confirmed: 'The carrier has voided it',
    daysAfter: (days: number) =>
      `${countText(days, 'day')} after that, unless the label is scanned`,
    due: (day: string) => `Expected on ${day}, unless the label is scanned`,
  },
  noName: 'no name',
  noTracking: 'no tracking number',
  more: (count: number) => `and ${countText(count, 'more', 'more')}`,
  confirm: (count: number) => (count === 1 ? 'Void label' : `Void ${countText(count, 'label')}`),
  cancel: 'Keep',
  close: 'Close',
  failed: 'We couldn’t confirm that. Try again. Nothing is voided or refunded twice.',
  resultTitle: (nothing: boolean) => (nothing ? 'Not voided' : 'Partly voided'),
  voided: (count: number) => `${countText(count, 'label')} voided.`,
  refunded: (amount: string, owner: BalanceOwner) => `${amount} is back in ${BALANCE_TEXT[owner]}.`,
  waiting: (count: number) =>
    `${countText(count, 'label is', 'labels are')} waiting for the carrier to confirm.`,
  waitingRefund: (count: number) =>
    `The refund follows once ${plural(count, 'the void is', 'the voids are')} confirmed. The list shows the status.`,
  refused: (count: number) => `${countText(count, 'label was', 'labels were')} not voided:`,
}

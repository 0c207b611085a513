/** What is said when labels are voided. */
import { countText, numberText, plural } from '#contract/format.ts'

/** 'comes back to your balance'. */
export type BalanceOwner = 'own' | 'customer'
const BALANCE_TEXT: Record<BalanceOwner, string> = {
  own: 'your balance',
  customer: 'the customer’s balance',
}

export const texts = {
  void: 'Void',
  voidName: (name: string) => `Void label for ${name}`,
  voidSeveral: (count: number) => `Void ${countText(count, 'label')}`,
  tooMany: (most: number) => `At most ${numberText(most)} labels at once`,
  choose: (name: string) => `Select label for ${name}`,
  chooseAll: 'Select all labels of this page',
  chosen: (count: number, amount: string) => `${countText(count, 'label')} selected, ${amount}`,
  question: (count: number) =>
    count === 1 ? 'Void this label?' : `Void ${countText(count, 'label')}?`,
  comesBack: (amount: string, of: BalanceOwner) =>
    `${amount} comes back to ${BALANCE_TEXT[of]} when the carrier has confirmed.`,
  free: 'Nothing was paid, so nothing comes back.',
  forGood: (count: number) =>
    `${plural(count, 'It is', 'They are')} no postage any more then: do not ship with ${plural(count, 'it', 'them')}, printed or not.`,
  noName: 'no name',
  noTracking: 'no tracking number',
  more: (count: number) => `and ${countText(count, 'more', 'more')}`,
  confirm: (count: number) => (count === 1 ? 'Void label' : `Void ${countText(count, 'label')}`),
  cancel: 'Keep',
  close: 'Close',
  failed: 'It is not known whether that worked. Try again: nothing is voided or paid back twice.',
  outcome: (nothing: boolean) => (nothing ? 'Not voided' : 'Voided in part'),
  voided: (count: number) => `${countText(count, 'label')} voided.`,
  back: (amount: string, of: BalanceOwner) => `${amount} is back in ${BALANCE_TEXT[of]}.`,
  waiting: (count: number) =>
    `${countText(count, 'label waits', 'labels wait')} for the carrier’s answer.`,
  waitingHow: (count: number) =>
    `The money comes back when ${plural(count, 'the void is', 'the voids are')} confirmed; the list shows how far it is.`,
  refused: (count: number) => `${countText(count, 'label was', 'labels were')} not voided:`,
}

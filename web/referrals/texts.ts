/** Texts of the invite page. */
import { plural } from '#contract/format.ts'
import { PRODUCT } from '#contract/product.ts'

export const texts = {
  share: 'Invite people who ship',
  shareText:
    'Your link opens registration with your code filled in. '
    + 'Everyone who signs up with it is listed below, with the date and their deposits.',
  send: {
    share: 'Share…',
    email: 'Email',
    subject: `Invitation to ${PRODUCT}`,
    text: `I buy my shipping labels with ${PRODUCT}: prepaid, one at a time or a whole file of orders. Register with my link:`,
  },
  totals: {
    title: 'Your invites so far',
    users: (count: number) => plural(count, 'user has signed up', 'users have signed up'),
    deposits: 'Deposited by them',
  },
  steps: [
    ['Send your link', 'By email, in a chat or printed on paper.'],
    ['They sign up', 'Your code is already filled in.'],
    ['You see them below', 'With the date and the total of their deposits.'],
  ],
  link: 'Invite link',
  code: 'Referral code',
  title: 'Invited Users',
  columns: { name: 'Name', registered: 'Registered', deposit: 'Total Deposit' },
  none: 'No invited users yet',
  noneText: 'Share your link. People who sign up with it appear here with their deposits.',
  failed: 'An error occurred while loading the data',
  notYours: 'Invites are not part of your account',
  notYoursText: 'Invites are for Friend accounts.',
  askSupport: 'Ask support',
  notYoursMore: 'to change yours.',
  notYoursPicture: {
    weight: 'INVITE',
    service: 'FRIEND ACCOUNTS ONLY',
    to: ['YOUR FRIENDS', 'WHO ALSO SHIP'],
  },
  toDashboard: 'Go to the dashboard',
}

import { plural } from '#contract/format.ts'
import { PRODUCT } from '#contract/product.ts'

export const texts = {
  share: 'Invite people who ship',
  shareText:
    'Know another seller? Share your link or code, and see here who signs up and what they deposit.',
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
  how: {
    title: 'How invites work',
    steps: [
      { name: 'Send your link', text: 'By email, in a chat or printed on paper.' },
      { name: 'They sign up', text: 'Your code is already filled in.' },
      { name: 'You see who joined', text: 'With the date and the total of their deposits.' },
    ],
  },
  /** The same for those who have no link yet. */
  howLater: {
    title: 'How invites work',
    steps: [
      { name: 'Get a link', text: 'It comes with a Friend account.' },
      { name: 'Send it', text: 'By email, in a chat or printed on paper.' },
      { name: 'See who joined', text: 'With what they deposited.' },
    ],
  },
  link: 'Invite link',
  code: 'Referral code',
  title: 'Invited Users',
  columns: { name: 'Name', registered: 'Registered', deposit: 'Total Deposit' },
  none: 'No invited users yet',
  noneText: 'Your link is above, ready to send.',
  failed: 'An error occurred while loading the data',
  notYours: 'Invites come with a Friend account',
  notYoursText: 'With one, you invite other sellers with a link of your own.',
  canSwitch: 'Support can switch your account.',
  askSupport: 'Ask support',
  askSubject: 'Friend account',
  notYoursPicture: {
    word: 'HELLO',
    service: 'FROM A FRIEND',
    to: ['FOR SELLERS', 'YOU KNOW'],
  },
  toDashboard: 'Go to the dashboard',
}

/** What the screen of invites says (specification, 2 and 8), in one place, so that languages can be added. */
export const texts = {
  share: 'Your invite',
  shareText: 'Whoever registers with your link or your code is listed below.',
  link: 'Invite link',
  code: 'Referral code',
  title: 'Invited Users',
  columns: { name: 'Name', registered: 'Registered', deposit: 'Total Deposit' },
  none: 'No invited users yet',
  noneText: 'Hand on your link: who registers with it appears here, with what he has paid in.',
  failed: 'An error occurred while loading the data',
  tryAgain: 'Try again',
  notYours: 'Invites are not part of your account',
  notYoursText: 'They come with the role friend. The operator of this site can change your role.',
  toDashboard: 'Go to the dashboard',
}

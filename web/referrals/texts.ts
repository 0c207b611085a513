/** Texts of the invite page. */
export const texts = {
  share: 'Your invite',
  shareText: 'Everyone who signs up with your link or code is listed below.',
  link: 'Invite link',
  code: 'Referral code',
  title: 'Invited Users',
  columns: { name: 'Name', registered: 'Registered', deposit: 'Total Deposit' },
  none: 'No invited users yet',
  noneText: 'Share your link. People who sign up with it appear here with their deposits.',
  failed: 'An error occurred while loading the data',
  notYours: 'Invites are not part of your account',
  notYoursText: 'Invites are for Friend accounts. Ask support to change yours.',
  toDashboard: 'Go to the dashboard',
}

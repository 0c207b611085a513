/** Texts of referral management. */
export const texts = {
  title: 'Referral Management',
  explain: 'Choose a user to see or change the code that others sign up with.',
  user: 'User',
  code: 'Referral Code',
  update: 'Update Referral Code',
  chooseFirst: 'Choose a user first',
  required: (label: string) => `${label} is required`,
  same: 'That is already the code',
  loading: 'Loading…',
  done: 'Referral code updated successfully',
  failed: {
    invited: 'Failed to load invited users',
    code: 'Failed to load referral code',
    update: 'Failed to update referral code',
  },
  notChosen: 'No user chosen',
  notChosenText: 'People who signed up with this user’s code appear here.',
  none: 'No invited users yet',
  noneText: 'No one has signed up with this code yet.',
  invited: 'Invited Users',
}

/** What the screen of all referrals says (specification, 2, 5 and 8), in one place, so that languages can be added. */
export const texts = {
  title: 'Referral Management',
  explain: 'Choose a user to see and change the code that others register with.',
  user: 'User',
  code: 'Referral Code',
  update: 'Update Referral Code',
  chooseFirst: 'Choose a user first',
  required: (label: string) => `${label} is required`,
  same: 'This is the code already',
  loading: 'Loading…',
  done: 'Referral code updated successfully',
  failed: {
    invited: 'Failed to load invited users',
    code: 'Failed to load referral code',
    update: 'Failed to update referral code',
  },
  nobody: 'No user chosen',
  nobodyText: 'Who registered with the code of the chosen user appears here.',
  none: 'No invited users yet',
  noneText: 'Nobody has registered with this code.',
  invited: 'Invited Users',
}

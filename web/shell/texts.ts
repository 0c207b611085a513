/** What the shell says, in one place, so that languages can be added. */
export const texts = {
  places: {
    dashboard: 'Dashboard', orderLabel: 'Order Label', bulkOrder: 'Bulk Order', orders: 'Orders', batchOrders: 'Batch Orders',
    deposit: 'Deposit', address: 'Address', skus: 'SKU Management', invites: 'Invites', demo: 'Modal Demo', admin: 'Admin Panel',
  },
  /** Titles of the administrator's pages (specification, 2). */
  admin: 'Admin Panel',
  adminPlaces: {
    dashboard: 'Dashboard', users: 'User Management', labels: 'Order Label Management', referrals: 'Referral Management',
    services: 'Default Services', audit: 'Audit', back: 'Back to Dashboard',
  },
  acting: {
    name: 'Signed in as a user',
    as: (name: string, email: string) => `You are signed in as ${name} (${email})`,
    back: 'Return to admin',
    ended: (name: string | null) => `Your sign-in as ${name ?? 'a user'} has ended. You are yourself again.`,
  },
  toAdminDashboard: 'Go to the admin dashboard',
  toggle: 'Toggle sidebar',
  navigation: 'Main',
  closeNavigation: 'Close menu',
  menu: 'Account menu',
  balance: 'Balance',
  account: 'Account',
  statement: 'Wallet statement',
  logout: 'Logout',
  welcome: 'Welcome',
  nothingHere: 'There is no page at this address.',
  nothingHereText: 'It may have been mistyped, or the page has moved. Go on from one of these:',
  notFound: 'Page not found',
  toHome: 'Go to the home page',
  toDashboard: 'Go to the dashboard',
  login: 'Login',
  register: 'Register',
  away: 'The server cannot be reached',
  awayText: 'You are still signed in. Check your connection and try again.',
  tryAgain: 'Try again',
  crashed: 'This page has stopped working',
  crashedText: 'Nothing you paid for is lost. Loading it again usually helps.',
  reload: 'Load again',
  /** On the picture of a label; the people are examples. */
  specimen: {
    weight: '20 lb', service: 'SPECIMEN PRIORITY', from: ['MASON TRADING CO', '100 CONGRESS AVE', 'AUSTIN TX 78701'],
    to: ['JUNE RIVERA', '2210 E OLIVE AVE', 'FRESNO CA 93701'], notPostage: 'SAMPLE · NOT POSTAGE', tracking: 'SPECIMEN TRACKING #',
    sample: 'SAMPLE',
  },
}

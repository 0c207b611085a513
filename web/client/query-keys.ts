/** Keys of cached responses. They begin with the user's id, so that users of one browser never share rows. */
export const queryKeys = {
  ofUser: (userId: string) => [userId] as const,
  operatorPage: (slug: string) => ['operator-page', slug] as const,
  parcelPage: (token: string) => ['parcel-page', token] as const,
  parcelPageSettings: (userId: string) => ['parcel-page-settings', userId] as const,
  publicSettings: () => ['public-settings'] as const,
  orders: (userId: string) => [userId, 'orders'] as const,
  orderPage: (userId: string, page: number, filter: object) =>
    [userId, 'orders', 'page', page, filter] as const,
  labelDetails: (userId: string, orderId: string) =>
    [userId, 'orders', 'details', orderId] as const,
  labelPicture: (userId: string, pdfName: string) => [userId, 'label-picture', pdfName] as const,
  receivers: (userId: string, orderIds: string) =>
    [userId, 'orders', 'receivers', orderIds] as const,
  recentOrders: (userId: string) => [userId, 'orders', 'recent'] as const,
  lastOrder: (userId: string) => [userId, 'orders', 'last'] as const,
  orderTrend: (userId: string) => [userId, 'orders', 'trend'] as const,
  totalOrders: (userId: string) => [userId, 'orders', 'total'] as const,
  services: (userId: string) => [userId, 'services'] as const,
  carrierCosts: (adminId: string) => [adminId, 'reports', 'costs'] as const,
  rawServices: (userId: string) => [userId, 'raw-services'] as const,
  defaultServices: (userId: string) => [userId, 'default-services'] as const,
  priceChanges: (adminId: string, ofId: string | undefined) =>
    [adminId, 'price-changes', ofId] as const,
  pricePreview: (adminId: string, attempt: string) => [adminId, 'price-preview', attempt] as const,
  serviceCosts: (adminId: string) => [adminId, 'service-costs'] as const,
  zoneMatrix: (adminId: string) => [adminId, 'zone-matrix'] as const,
  userServices: (userId: string, ofId: string) => [userId, 'services', 'of', ofId] as const,
  prices: (userId: string) => [userId, 'price'] as const,
  price: (userId: string, service: string, weightLb: number | string) =>
    [userId, 'price', service, weightLb] as const,
  scanForms: (userId: string) => [userId, 'scan-forms'] as const,
  scanFormList: (userId: string) => [userId, 'scan-forms', 'list'] as const,
  scanFormCandidates: (userId: string, day: string) =>
    [userId, 'scan-forms', 'candidates', day] as const,
  batches: (userId: string) => [userId, 'batches'] as const,
  batchPages: (userId: string) => [userId, 'batches', 'page'] as const,
  batchPage: (userId: string, page: number) => [userId, 'batches', 'page', page] as const,
  batch: (userId: string, batchId: string) => [userId, 'batches', batchId] as const,
  batchVoids: (userId: string, batchId: string) => [userId, 'batches', batchId, 'voids'] as const,
  runningBatch: (userId: string) => [userId, 'batches', 'running'] as const,
  statement: (userId: string, page: number, filter: string, balance: number) =>
    [userId, 'statement', page, filter, balance] as const,
  refunds: (userId: string, page: number, state: string | null, balance: number) =>
    [userId, 'refunds', page, state, balance] as const,
  refundsDue: (adminId: string) => [adminId, 'admin-dashboard', 'refunds-due'] as const,
  books: (adminId: string) => [adminId, 'admin-dashboard', 'books'] as const,
  tasks: (userId: string) => [userId, 'reports', 'tasks'] as const,
  reports: (userId: string) => [userId, 'reports'] as const,
  report: (userId: string, name: string, days: number, balance?: number) =>
    [userId, 'reports', name, days, balance] as const,
  adjustments: (userId: string, orderId?: string, balance?: number) =>
    orderId === undefined && balance === undefined
      ? [userId, 'adjustments']
      : [userId, 'adjustments', orderId, balance],
  allAdjustments: (adminId: string, page?: number, show?: string) =>
    page === undefined ? [adminId, 'all-adjustments'] : [adminId, 'all-adjustments', page, show],
  adjustmentPreview: (adminId: string, attempt: string) =>
    [adminId, 'adjustment-preview', attempt] as const,
  adjustmentRules: (adminId: string) => [adminId, 'adjustment-rules'] as const,
  walletTrend: (userId: string) => [userId, 'statement', 'trend'] as const,
  deposits: (userId: string, page?: number) =>
    page === undefined ? [userId, 'deposits'] : [userId, 'deposits', page],
  invoices: (userId: string) => [userId, 'invoice'] as const,
  invoice: (userId: string, invoiceId: string) => [userId, 'invoice', invoiceId] as const,
  recentDeposits: (userId: string) => [userId, 'deposits', 'recent'] as const,
  addresses: (userId: string) => [userId, 'addresses'] as const,
  skus: (userId: string) => [userId, 'skus'] as const,
  imports: (userId: string) => [userId, 'imports'] as const,
  devices: (userId: string) => [userId, 'devices'] as const,
  emailStatus: (userId: string, email: string) => [userId, 'email', email] as const,
  factors: (userId: string) => [userId, 'factors'] as const,
  apiKeys: (userId: string) => [userId, 'api-keys'] as const,
  webhooks: (userId: string) => [userId, 'webhooks'] as const,
  deliveries: (userId: string, webhookId: string, state: string | null) =>
    [userId, 'deliveries', webhookId, state] as const,
  lastFailure: (userId: string, webhookId: string, since: string | null) =>
    [userId, 'lastFailure', webhookId, since] as const,
  invited: (userId: string, page: number) => [userId, 'invited', page] as const,
  adminDashboard: (adminId: string) => [adminId, 'admin-dashboard'] as const,
  operatorTasks: (adminId: string, kind: 'deposits' | 'files' | 'mails' | 'scans', page: number) =>
    [adminId, 'admin-dashboard', kind, page] as const,
  balanceRequests: (adminId: string) => [adminId, 'admin-dashboard', 'balance-requests'] as const,
  carrierBalance: (adminId: string) => [adminId, 'carrier-balance'] as const,
  carrierAccounts: (adminId: string) => [adminId, 'carrier-accounts'] as const,
  allOrders: (adminId: string) => [adminId, 'all-orders'] as const,
  allOrdersPage: (adminId: string, page: number, filter: object) =>
    [adminId, 'all-orders', 'page', page, filter] as const,
  orderDetails: (adminId: string, orderId: string) =>
    [adminId, 'all-orders', 'details', orderId] as const,
  batchFiles: (adminId: string, batchId: string) =>
    [adminId, 'all-orders', 'files', batchId] as const,
  users: (adminId: string) => [adminId, 'users'] as const,
  userPages: (adminId: string) => [adminId, 'users', 'page'] as const,
  usersPage: (adminId: string, page: number, filter: object) =>
    [adminId, 'users', 'page', page, filter] as const,
  managedUser: (adminId: string, userId: string) => [adminId, 'users', 'by-id', userId] as const,
  userStatement: (
    adminId: string,
    userId: string,
    page: number,
    filter: string,
    balance: number | undefined,
  ) => [adminId, 'users', 'statement', userId, page, filter, balance] as const,
  invitedBy: (adminId: string, userId: string, page: number) =>
    [adminId, 'users', 'invited', userId, page] as const,
  referrers: (adminId: string, page: number) => [adminId, 'users', 'referrers', page] as const,
  referralCodeOf: (adminId: string, userId: string) => [adminId, 'users', 'code', userId] as const,
  userSearch: (adminId: string, words: string) => [adminId, 'user-search', words] as const,
  audit: (adminId: string, page: number, filter: object) =>
    [adminId, 'audit', page, filter] as const,
  invitedTotals: (userId: string) => [userId, 'invited-totals'] as const,
  referralCode: (userId: string) => [userId, 'referral-code'] as const,
}

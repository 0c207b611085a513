/** Names of cached answers. They begin with the user's id, so that nobody ever sees another's rows in the same browser. */
export const keys = {
  all: (userId: string) => [userId] as const,
  house: () => ['house'] as const,
  orders: (userId: string) => [userId, 'orders'] as const,
  recentOrders: (userId: string) => [userId, 'orders', 'recent'] as const,
  totalOrders: (userId: string) => [userId, 'orders', 'total'] as const,
  services: (userId: string) => [userId, 'services'] as const,
  price: (userId: string, service: string, weightLb: number | string) => [userId, 'price', service, weightLb] as const,
  batches: (userId: string) => [userId, 'batches'] as const,
  batch: (userId: string, batchId: string) => [userId, 'batches', batchId] as const,
  runningBatch: (userId: string) => [userId, 'batches', 'running'] as const,
  deposits: (userId: string, page?: number) => (page === undefined ? [userId, 'deposits'] : [userId, 'deposits', page]),
  recentDeposits: (userId: string) => [userId, 'deposits', 'recent'] as const,
  addresses: (userId: string) => [userId, 'addresses'] as const,
  skus: (userId: string) => [userId, 'skus'] as const,
  invited: (userId: string) => [userId, 'invited'] as const,
}

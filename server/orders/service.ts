/** What other modules may use of the stores of orders. */
export { selectFailureReasons, sumUnbought } from './batch-failures-store.ts'
export {
  countStates,
  findNextService,
  hashRowVersions,
  hasLabelsBeingVoided,
  hasOpenRows,
  hasRowsToEnd,
  reopenFailed,
  replaceOrders,
  selectBatchIdsOfOrders,
  selectBatchRows,
  selectBatchRowVersions,
  selectConfirmRows,
  selectFailedIds,
  selectKeysOfOrders,
  selectPackedRows,
  selectRetryable,
  selectRetryableParcels,
  selectUnbought,
  sumRetryable,
} from './batch-rows-store.ts'
export type { ConfirmSource, PackedSource } from './batch-rows-store.ts'
export {
  countOpenInOtherAccounts,
  countUnknownQueuedBefore,
  countQueuedAhead,
  hasOpenLabels,
  hasOrders,
  selectInAccounts,
} from './open-labels-store.ts'
export type { OtherAccountLabels } from './open-labels-store.ts'
export { selectLabelTransfers, selectLaterCharges, selectParcelEvents } from './details-store.ts'
export { planQuery, selectCountedPage, selectIds } from './query-store.ts'
export type { OrderQuery, QueryPlan } from './query-store.ts'
export { LIVE_STATES, SEEN_FOR, selectLabelsOfOrders } from './seen-store.ts'
export type { LabelOfOrder } from './seen-store.ts'
export {
  advanceOrderSequence,
  deleteOldOrderRequests,
  findOrder,
  findOrderRequest,
  findOrders,
  insertOrderRequest,
  insertOrders,
  prepareInsert,
  selectVoiding,
} from './store.ts'
export {
  findFreeOrderRequests,
  insertOrderRequests,
  insertSingleOrders,
  lockFreeOrderCounts,
  readOrderTime,
} from './single-orders-store.ts'
export type { OrderTime } from './single-orders-store.ts'

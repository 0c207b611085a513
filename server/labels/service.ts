/** What other modules may use of the stores of labels. */
export {
  claimDueLabelFiles,
  countPendingLabelFiles,
  findLabelFiles,
  findNextFetch,
  postponeLabelFile,
  recordLabelFile,
  requestLabelFileAgain,
  requestLabelFiles,
} from './carrier-label-file-store.ts'
export type { CarrierLabelFileRecord, PendingLabelFile } from './carrier-label-file-store.ts'
export { findFile, upsertFile } from './store.ts'

/** What other modules may use. */
export {
  claimDueLabelFiles,
  countPendingLabelFiles,
  findLabelFiles,
  findNextFetch,
  isLabelFileDue,
  postponeLabelFile,
  recordLabelFile,
  requestLabelFileAgain,
  requestLabelFiles,
} from './carrier-label-file-store.ts'
export type {
  CarrierLabelFileRecord,
  LabelFileKey,
  PendingLabelFile,
  StoredLabelFile,
} from './carrier-label-file-store.ts'
export { findFile, upsertFile } from './store.ts'

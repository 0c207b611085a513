/** What the parts say by themselves; everything else is handed to them. */
export const texts = {
  close: 'Close',
  cancel: 'Cancel',
  remove: 'Delete',
  wait: 'Please wait',
  didNotWork: 'That did not work. Please try again.',
  nothingFound: 'Nothing found',
  // Not 'Show password': a second thing of that name beside the field would be found by the field's label.
  showPassword: 'Show characters',
  dismiss: 'Dismiss',
  previousPage: 'Previous page',
  nextPage: 'Next page',
  pagesOf: (list: string) => `${list}, pages`,
  tableOf: (list: string) => `${list}, table`,
  copy: (value: string) => `Copy ${value}`,
  copyIt: 'Copy',
  copied: 'Copied!',
  copyByHand: 'Press Ctrl+C to copy',
  skip: 'Skip to content',
  loading: 'Loading…',
  toLight: 'Switch to light theme',
  toDark: 'Switch to dark theme',
}

/** Texts of start.ts. */
export const texts = {
  notLoaded: 'We couldn’t load everything this page needs. Check your connection.',
  reload: 'Reload the page',
}

/** Texts of the section about what receivers of parcels see. */
export const texts = {
  title: 'Tracking pages',
  lead:
    'Every label has a page that shows where its parcel is, without name or street of the receiver. '
    + 'Copy its link from the label’s menu.',
  sellerName: 'Sender shown to receivers',
  sellerNameHint: 'Leave it blank to show the sender on the label.',
  contact: 'Contact for receivers',
  contactHint: 'An email address, a phone number or a website. Leave it blank to show none.',
  mails: 'Send updates to receivers',
  mailsHint:
    'By email at the first scan and at delivery, where the order has the receiver’s address. Each message has a link to stop them.',
  save: 'Update tracking pages',
  saved: 'Tracking pages saved',
  failed: 'We couldn’t save this. Try again.',
  loadFailed: 'We couldn’t load these settings.',
}

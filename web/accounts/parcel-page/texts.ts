/** Texts of the section about what receivers of parcels see. */
export const texts = {
  name: 'Tracking pages',
  title: 'A page for every parcel',
  intro:
    'Receivers follow their parcel there. It never shows their name or street. Its link is in the label’s menu.',
  sellerName: 'Sender shown to receivers',
  sellerNameHint: 'Your store’s name. Leave blank to use the sender on the label.',
  /** In place of the name while no address is saved. */
  sellerNone: 'Sender on the label',
  contact: 'Contact for receivers',
  contactHint: 'An email address, phone number or website. Leave blank to hide it.',
  contactExample: 'help@yourstore.com',
  mails: 'Send updates to receivers',
  mailsTitle: 'Email updates',
  mailsHint:
    'At the first scan and at delivery, if the order has the receiver’s email. Each message has an unsubscribe link.',
  save: 'Save',
  unchanged: 'Nothing to save yet',
  unsaved: 'Tracking pages',
  saved: 'Tracking pages saved',
  failed: 'We couldn’t save this. Try again.',
  loadFailed: 'We couldn’t load these settings.',
  preview: {
    title: 'What receivers see',
    created: 'Label created',
    from: 'From',
    to: 'To',
    place: 'Fresno, CA',
    questions: 'Questions?',
    ask: (seller: string) => `Ask ${seller} about the order, the address or a delay.`,
    noContact: 'Look for their contact details in your order confirmation.',
    mail: 'A parcel is on its way to you',
    mailFrom: (product: string) => `From ${product}, with a link to this page`,
  },
}

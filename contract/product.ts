/** The product's name, for titles, the logo, mails and printed pages. The only place where it is written. */
export const PRODUCT = 'Evenpost'

/** Mails about the ownership of an address. Like all, they contain no typed text. */
import { PRODUCT } from '#contract/product.ts'
import type { Mail } from '#server/platform/mail/mailer.ts'
import { composeMail } from './mails.ts'

const askToVerify = (to: string, subject: string, request: string, link: string): Mail =>
  composeMail(to, subject, {
    before: [request],
    link,
    action: 'Verify email address',
    after: [
      'The link works once and expires in 3 days.',
      `If you have no ${PRODUCT} account, ignore this email.`,
    ],
  })

export const verifyMail = (to: string, link: string): Mail =>
  askToVerify(
    to,
    'Verify your email address',
    `Confirm that this address belongs to your ${PRODUCT} account:`,
    link,
  )

/** To the new address. */
export const changeMail = (to: string, link: string): Mail =>
  composeMail(to, `Confirm your new email address for ${PRODUCT}`, {
    before: [`Confirm that you want to sign in to ${PRODUCT} with this address from now on:`],
    link,
    action: 'Use this address',
    after: [
      'The link works once and expires in 3 days. Until you open it, your old address stays in place.',
      'If you did not ask for this, ignore this email.',
    ],
  })

/** To the owner of an address that another user wants for their account. `link`: the page to sign in. */
export const addressTakenMail = (to: string, link: string): Mail =>
  composeMail(to, `Your ${PRODUCT} address was entered for another account`, {
    before: [
      `Another ${PRODUCT} account tried to use this address. It belongs to your account, so nothing was changed.`,
      'If this was you, sign in with this address instead. If not, no action is needed.',
    ],
    link,
    action: 'Login',
  })

/** To the old address when a change is asked for. `link`: stops it. */
export const changeAskedMail = (to: string, link: string): Mail =>
  composeMail(to, `A new email address was entered for your ${PRODUCT} account`, {
    before: [
      `A new email address was entered for your ${PRODUCT} account, with your password. `
        + 'It replaces this one when the link sent there is opened.',
      'If this was you, no action is needed. If not, another person knows your password: stop the change now.',
    ],
    link,
    action: 'This was not me',
    after: ['This also signs out all devices and sends you a link to choose a new password.'],
  })

/** To the old address when it was replaced. `link`: undoes it. */
export const changedMail = (to: string, link: string): Mail =>
  composeMail(to, `The email address of your ${PRODUCT} account was changed`, {
    before: [
      `Your ${PRODUCT} account has a new email address. This one no longer signs you in.`,
      'If this was you, no action is needed. If not, take your account back within 24 hours:',
    ],
    link,
    action: 'This was not me',
    after: [
      'This restores your address, signs out all devices and sends you a link to choose a new password. '
        + 'Then check your two-step sign-in under Account.',
    ],
  })

/** To the old address after an administrator's correction. `link`: the product. */
export const correctedMail = (to: string, link: string): Mail =>
  composeMail(to, `The email address of your ${PRODUCT} account was corrected`, {
    before: [
      `Support replaced the email address of your ${PRODUCT} account. This one no longer signs you in.`,
      'If you did not ask for this, please contact support.',
    ],
    link,
    action: `Go to ${PRODUCT}`,
  })

/** To the new address after an administrator's correction. */
export const correctedVerifyMail = (to: string, link: string): Mail =>
  askToVerify(
    to,
    `Verify your new email address for ${PRODUCT}`,
    `Support set this address for your ${PRODUCT} account. `
      + 'Sign in with it from now on. Your password stays the same. Confirm that this address is yours:',
    link,
  )

export const invitationMail = (to: string, link: string): Mail =>
  composeMail(to, `Your invitation to ${PRODUCT}`, {
    before: [`An account on ${PRODUCT} was created for you. Choose a password to start:`],
    link,
    action: 'Choose a password',
    after: [
      'The link works once and expires in 3 days.',
      'If you did not expect this, ignore this email.',
    ],
  })

/** Texts about the ownership of email addresses. */
export const texts = {
  failed: 'Something went wrong. Please try again.',
  notice: {
    needed: 'Verify your email address to add money.',
    optional: 'Verify your email address.',
    sentTo: (email: string) => `We sent a link to ${email}.`,
    /** Where the address stands above. */
    sent: 'We sent you a link.',
    sentToVerify: 'We sent you a link to verify it.',
    wrong: 'Wrong address?',
    change: 'Change your email',
    resend: 'Resend email',
  },
  pending: {
    waits: (email: string) => `We sent a link to ${email}. Open it to finish the change.`,
    cancel: 'Cancel the change',
  },
  change: {
    button: 'Change email',
    title: 'Change your email',
    explain:
      'We’ll send a link to your new address. You keep signing in with the current one until you open it.',
    email: 'New Email',
    password: 'Current Password',
    required: (label: string) => `${label} is required`,
    submit: 'Send link',
    failed: 'Submission failed',
  },
  verify: {
    title: 'Verify your email',
    explain: 'Confirm that this mailbox is yours.',
    submit: 'Verify email address',
    proceed: 'Continue',
    help: 'If your address isn’t verified yet, you can get a new link on your Account page.',
  },
  undo: {
    title: 'This was not me',
    explain:
      'This keeps or restores your email address, signs out all devices and sends you a link to choose a new password.',
    submit: 'Secure my account',
    proceed: 'Go to the login page',
    help: 'If someone changed your address more than 24 hours ago, please',
    askSupport: 'contact support',
  },
  incomplete: 'This link is incomplete. Open it from the email again.',
  dead: 'This link has been used or has expired.',
}

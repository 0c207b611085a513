/** Texts of two-step sign-in: second step, proof, factors, recovery codes. */
import { countText } from '#contract/format.ts'
import type { FactorKind } from '#contract/second-factor.ts'

const failed = 'Something went wrong. Please try again.'

export const texts = {
  failed,
  required: (label: string) => `${label} is required`,
  /** Fields with which users show that it is them. */
  form: {
    password: 'Password',
    code: 'Code',
    codeHint: 'The 6-digit code in your authenticator app',
    codeLength: 'Enter all 6 digits',
    recovery: 'Recovery code',
    recoveryHint: 'One of the codes you saved when you set this up. Each works once.',
    passkey: 'Use a passkey',
    passkeyText: 'Your device will ask for your fingerprint, face, PIN or security key.',
    useCode: 'Use your authenticator app',
    useRecovery: 'Use a recovery code',
  },
  passkey: {
    cancelled: 'No passkey was used. Try again when you’re ready.',
    none: 'None of your passkeys works at this web address. Use another way.',
    known: 'This device already has a passkey for your account.',
    wrongAddress: 'Passkeys don’t work at this web address. Use the site’s usual address.',
    broken: 'Your device couldn’t complete this. Try again or use another way.',
    notLoaded: 'Passkeys could not be loaded. Reload the page, or use another way.',
    unsupported: 'This browser doesn’t support passkeys.',
    ipAddress:
      'Passkeys need a site name, such as ship.example.com. They don’t work while the site is opened by its IP address.',
  },
  second: {
    submit: 'Verify',
    busy: 'Verifying...',
    back: 'Back to sign-in',
    failed: 'Login failed',
    expired: 'That took too long. Please sign in again.',
  },
  signIn: {
    passkey: 'Sign in with a passkey',
    or: 'or',
  },
  proof: {
    title: 'Confirm it’s you',
    text: (minutes: number) =>
      `This change needs a quick check. You won’t be asked again for ${minutes} minutes.`,
    submit: 'Confirm',
    busy: 'Checking...',
    cancel: 'Cancel',
  },
  setUp: {
    frame: 'Secure your account',
    title: 'Set up two-step sign-in',
    text: 'This site requires two-step sign-in. Add an authenticator app or a passkey to continue.',
    why: 'With a second step, a stolen password alone can’t open your account or spend your balance.',
    done: 'Two-step sign-in is on',
    proceed: 'Continue',
  },
  section: {
    title: 'Two-step sign-in',
    on: 'On',
    off: 'Off',
    offText:
      'Add a second step so that a stolen password alone can’t open your account or spend your balance.',
    onText: 'After your password, we ask for one of these.',
    requiredText: 'This site requires two-step sign-in.',
    support: 'Only the user can see and change this.',
    loadFailed: 'We couldn’t load your sign-in methods.',
    addApp: 'Add an authenticator app',
    addPasskey: 'Add a passkey',
    noPasskeys: 'Passkeys aren’t available on this site.',
    added: 'Added',
    used: 'Last used',
    unused: 'Not used yet',
    synced: 'Synced',
    syncedHint: 'Available on all your devices that share this password manager',
    actionsOf: (name: string) => `Actions for ${name}`,
    rename: 'Rename',
    remove: 'Remove',
    lastRequired: 'This site requires two-step sign-in. Add another method first.',
  },
  kinds: { totp: 'Authenticator app', passkey: 'Passkey' } satisfies Record<FactorKind, string>,
  app: {
    title: 'Add an authenticator app',
    scan: 'Scan this with an authenticator app, such as Google Authenticator, 1Password or Aegis.',
    scanElsewhere: 'Is the app on another device? Scan this with it.',
    qr: 'QR code for your authenticator app',
    key: 'Setup key',
    keyHint: 'Can’t scan it? Enter the setup key in the app instead.',
    open: 'Open in an app on this device',
    confirm: 'Turn on',
    done: (name: string) => `${name} was added`,
    otherDialog:
      'The authenticator app was not set up, because another dialog is open. Finish it, then start again.',
  },
  newPasskey: {
    title: 'Add a passkey',
    text: 'A passkey signs you in with your fingerprint, face, PIN or security key. It can’t be phished, and there is nothing to type.',
    name: 'Name',
    nameHint: 'So that you can tell your passkeys apart.',
    create: 'Create passkey',
    done: (name: string) => `${name} was added`,
  },
  renaming: { title: 'Rename this method', name: 'Name', save: 'Save' },
  removing: {
    question: 'Remove this method?',
    confirm: 'Remove',
    text: (name: string) =>
      `You won’t be able to sign in with ${name} anymore. Your other devices are signed out.`,
    last: 'It’s your only method. Two-step sign-in turns off and your recovery codes stop working.',
  },
  codes: {
    title: 'Save your recovery codes',
    text: (product: string) =>
      `If you lose your device, these are the only way into your ${product} account. Each code works once. You won’t see them again.`,
    list: 'Recovery codes',
    copy: 'Copy',
    copyName: 'Copy all codes',
    download: 'Download .txt',
    print: 'Print',
    saved: 'I saved these codes',
    done: 'Done',
    saveFirst: 'Save the codes and check the box first',
    fileName: (product: string) => `${product.toLowerCase()}-recovery-codes.txt`,
    fileHead: (product: string, email: string) =>
      `Recovery codes for ${product}, ${email}\nEach code works once. Keep them somewhere safe.\n`,
    left: (count: number) => `${countText(count, 'recovery code')} left`,
    leftText: 'They sign you in when you don’t have your device.',
    few: 'You’re running low. Create new ones before they run out.',
    renew: 'Create new codes',
    renewQuestion: 'Create new recovery codes?',
    renewText: 'Your current recovery codes stop working.',
    renewConfirm: 'Create new codes',
  },
}

/**
 * Some 12,000 common passwords of at least eight characters, in lower case: from the 30,000 most
 * frequent ones of zxcvbn 4.4.2 (MIT, (c) 2012-2016 Dan Wheeler and Dropbox, Inc.), and words,
 * names and keyboard walks with usual endings.
 */
import lines from './common-passwords.json' with { type: 'json' }

let passwords: ReadonlySet<string> | undefined

/** `password` in lower case. */
export function isCommonPassword(password: string): boolean {
  // With the first use: most of the time no password is chosen.
  passwords ??= new Set(lines.flatMap(line => line.split(' ')))
  return passwords.has(password)
}

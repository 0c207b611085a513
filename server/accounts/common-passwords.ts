/**
 * Passwords of eight characters and more that are guessed first, in small letters, some 12,000: what people were seen to choose
 * (the 30,000 most frequent ones of zxcvbn 4.4.2, MIT, (c) 2012-2016 Dan Wheeler and Dropbox, Inc.), and words, names and
 * keyboard walks with the endings people put to them. Shorter ones need not be here, they are refused for their length.
 */
import lines from './common-passwords.json' with { type: 'json' }

export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(lines.flatMap(line => line.split(' ')))

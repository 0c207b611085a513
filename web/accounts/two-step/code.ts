/** Codes as people type and paste them, and the names of apps. Pure. */
import { texts } from './texts.ts'

export const CODE_DIGITS = 6

/** '123456' of '123 456' or '123-456'; what is longer is cut off. */
export const codeDigits = (typed: string): string => typed.replace(/\D/g, '').slice(0, CODE_DIGITS)

/** 'JBSW Y3DP' of 'JBSWY3DP', as authenticator apps show a key. */
export const groupedKey = (secret: string): string => secret.replace(/.{4}(?=.)/g, '$& ')

/** 'Authenticator app', for a second one 'Authenticator app 2'. Its menu renames it. */
export function newAppName(factors: readonly { name: string }[]): string {
  const taken = new Set(factors.map(({ name }) => name.trim().toLowerCase()))
  const first = texts.kinds.totp
  let name: string = first
  for (let n = 2; taken.has(name.toLowerCase()); n++) name = `${first} ${n}`
  return name
}

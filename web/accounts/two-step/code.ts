/** Codes as people type and paste them. Pure. */

export const CODE_DIGITS = 6

/** '123456' of '123 456' or '123-456'; what is longer is cut off. */
export const codeDigits = (typed: string): string => typed.replace(/\D/g, '').slice(0, CODE_DIGITS)

/** 'JBSW Y3DP' of 'JBSWY3DP', as authenticator apps show a key. */
export const groupedKey = (secret: string): string => secret.replace(/.{4}(?=.)/g, '$& ')

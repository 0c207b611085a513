/** Notes of one kind of field. */
import type { Note } from './notes.ts'

/** A whole number that is not negative. */
export const count = (description: string): Note => ({ type: 'integer', minimum: 0, description })

/** A whole number from 1. */
export const ordinal = (description: string): Note => ({ type: 'integer', minimum: 1, description })

export const ordinalOrNull = (description: string): Note => ({
  type: ['integer', 'null'],
  minimum: 1,
  description,
})

/** A text that must not be empty. */
export const requiredText = (description: string, maxLength: number): Note => ({
  type: 'string',
  minLength: 1,
  maxLength,
  description,
  isRequired: true,
})

/** A text that may be empty, null or left out. */
export const optionalText = (description: string, maxLength: number): Note => ({
  type: ['string', 'null'],
  maxLength,
  description,
})

/** A measure: a number, or a text with a plain decimal number. */
export const measure = (description: string, max: number): Note => ({
  anyOf: [
    { type: 'number', exclusiveMinimum: 0, maximum: max },
    { type: 'string', minLength: 1, maxLength: 24 },
  ],
  description,
  isRequired: true,
})

export const optionalMeasure = (description: string, max: number): Note => ({
  anyOf: [
    { type: 'number', exclusiveMinimum: 0, maximum: max },
    { type: 'string', maxLength: 24 },
    { type: 'null' },
  ],
  description,
})

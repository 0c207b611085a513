/**
 * The tones of a status: blue at work, green done, yellow pending or in part, red failed. Hues never
 * mean anything else, and the word always stands beside the colour.
 * A screen keeps a full `Record<Status, Tone>`, so a new status cannot be forgotten.
 */
export type Tone = 'blue' | 'green' | 'yellow' | 'red' | 'neutral'

/**
 * The five tones of a status. Hues never mean anything else, and the word always stands beside the colour.
 * A screen keeps a full `Record<Status, Tone>`, so a new status cannot be forgotten.
 */
export type Tone = 'busy' | 'done' | 'partial' | 'failed' | 'neutral'

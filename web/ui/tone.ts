/**
 * The color of a status: blue running, green done, yellow pending or partial, red failed. It is always shown with a word.
 * Map statuses with a full `Record<Status, Tone>`, so that the compiler reports a missing one.
 */
export type Tone = 'blue' | 'green' | 'yellow' | 'red' | 'neutral'

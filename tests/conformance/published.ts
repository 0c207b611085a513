import type { OpenedSubject } from './subject.ts'

/** Its addresses are told by the carrier's answers. */
const FILE = /^\/(files|v1\/downloads)\//
const NOT_PUBLISHED = 'is not published'

/** What of the requests that came is not as the carrier publishes it, each complaint once. */
export const requestFaults = (subject: OpenedSubject): string[] =>
  comparedFaults(subject) ?? ['no request was compared']

/** The same; null if no description of what was asked is here. */
export function comparedFaults({ wire }: OpenedSubject): string[] | null {
  const faults = new Set<string>()
  let compared = 0
  for (const request of wire?.asked ?? []) {
    if (FILE.test(request.path)) continue
    const answers = wire!.contracts
      .map(contract => contract.requestErrors(request))
      .filter(errors => !errors.some(text => text.endsWith(NOT_PUBLISHED)))
    // The whole published document is not beside every copy of the project.
    if (answers.length === 0) continue
    compared++
    const fewest = answers.reduce((best, errors) => (errors.length < best.length ? errors : best))
    for (const text of fewest) faults.add(`${request.method} ${request.path}: ${text}`)
  }
  return compared > 0 ? [...faults] : null
}

/** Whether any description of its interface is here. */
export const hasContract = ({ wire }: OpenedSubject): boolean => (wire?.contracts.length ?? 0) > 0

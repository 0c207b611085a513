/** What one `npm audit … --json` has found. 0: nothing; 1: something; 2: it could not ask. */
export type AuditOutcome = { exitCode: 0 | 1 | 2; text: string }

type AuditReport = {
  message?: string
  error?: { summary?: string; detail?: string } | null
  metadata?: { vulnerabilities: Record<string, number> }
  invalid?: { name: string; version: string }[]
  missing?: { name: string; version: string }[]
}

/** Reads the exit code and the output of npm. */
export function auditOutcome(status: number | null, output: string): AuditOutcome {
  const report = parseReport(output)
  if (report === null || report.error) return notAnswered(report)
  if (status === 0) return { exitCode: 0, text: 'nothing found' }
  const wrong = [
    ...(report.invalid ?? []).map(({ name, version }) => `${name}@${version} is not as signed`),
    ...(report.missing ?? []).map(({ name, version }) => `${name}@${version} has no signature`),
    ...Object.entries(report.metadata?.vulnerabilities ?? {})
      .filter(([level, count]) => count > 0 && level !== 'total')
      .map(([level, count]) => `${count} ${level} (npm audit lists them)`),
  ]
  if (wrong.length === 0) return notAnswered(report)
  return { exitCode: 1, text: `FOUND: ${wrong.join('; ')}` }
}

const notAnswered = (report: AuditReport | null): AuditOutcome => {
  const reason = report?.message || report?.error?.summary || 'no readable answer'
  return { exitCode: 2, text: `NOT CHECKED: the registry did not answer (${reason})` }
}

function parseReport(output: string): AuditReport | null {
  try {
    return JSON.parse(output) as AuditReport
  } catch {
    return null
  }
}

/**
 * A problem that the operator must fix, such as a wrong setting or a port in use. The message names
 * the remedy and is printed without a stack.
 */
export class OperatorError extends Error {}

/** Of any other error the stack is printed. `what`: what failed. */
export function printError(error: unknown, what: string): void {
  const { message, stack } = error instanceof Error ? error : { message: '', stack: String(error) }
  const text = error instanceof OperatorError ? message : stack
  process.stderr.write(`Evenpost, ${what}: ${text}\n`)
}

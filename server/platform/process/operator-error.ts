/**
 * A problem that the operator must fix, such as a wrong setting or a port in use. The message names
 * the remedy and is printed without a stack.
 */
export class OperatorError extends Error {}

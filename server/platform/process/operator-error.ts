/**
 * A problem that the operator must fix before Evenpost can run: a wrong setting, a port in use, a database newer than the program. The
 * message is one or more sentences with the remedy and is printed without a stack.
 */
export class OperatorError extends Error {}

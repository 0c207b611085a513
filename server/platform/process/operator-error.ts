/**
 * Something the operator has to put right before Evenpost can run: a wrong setting, a port in use, a database that is newer than
 * the program. The message is one or more plain sentences with the remedy; it is shown without a stack.
 */
export class OperatorError extends Error {}

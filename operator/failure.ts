/** Ends a command with a message for the operator instead of a stack trace, and with exit code 1. */
export class CommandFailure extends Error {
  override readonly name: string = 'Failure'
}

/** Reports invalid usage, or a command that may not proceed, with exit code 2. */
export class UsageError extends CommandFailure {
  override readonly name = 'UsageError'
}

/** Ends a command with a message for the operator instead of a stack trace: exit code 1. */
export class CommandFailure extends Error {
  override readonly name: string = 'Failure'
}

/** Invalid usage, or a command that may not proceed: exit code 2. */
export class UsageError extends CommandFailure {
  override readonly name = 'UsageError'
}

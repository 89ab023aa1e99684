/** Thrown to end a command with exit code 1 and a message for the operator instead of a stack trace. */
export class CommandFailure extends Error {
  override readonly name: string = 'Failure'
}

/** Thrown for invalid usage, or if a command may not continue. Ends the command with exit code 2. */
export class UsageError extends CommandFailure {
  override readonly name = 'UsageError'
}

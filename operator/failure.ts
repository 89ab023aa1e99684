/** What ends a command with a sentence for the operator instead of a stack: exit code 1. */
export class Failure extends Error {
  override readonly name: string = 'Failure'
}

/** The command was not understood or not allowed to go on: exit code 2. */
export class UsageError extends Failure {
  override readonly name = 'UsageError'
}

import { logFailure } from './event-log.ts'

/** Work after the answer has 30 seconds at most (spec/storage#background-work). */
export type AfterAnswer = { waitUntil(task: Promise<unknown>): void }

/**
 * For work that does not decide the answer: it begins once the answer is on its way, and its failure is only logged.
 * What must not be lost belongs into the batch of the change.
 */
export function afterAnswer(
  context: AfterAnswer,
  { requestId }: { requestId: string },
  task: () => Promise<unknown>,
): void {
  const turn = new Promise<void>((resolve) => setTimeout(resolve, 0))
  context.waitUntil(turn.then(task).catch((error: unknown) => logFailure(error, { requestId })))
}

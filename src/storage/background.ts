import { logFailure } from './event-log.ts'

/** What Workers give to whatever goes on after the answer, 30 seconds at most (design 2). */
export type AfterAnswer = { waitUntil(task: Promise<unknown>): void }

/**
 * For what does not decide the answer: begins once the answer is on its way, and its failure is only logged. What must
 * not be lost does not come here.
 */
export function afterAnswer(
  context: AfterAnswer,
  { requestId }: { requestId: string },
  task: () => Promise<unknown>,
): void {
  const turn = new Promise<void>((resolve) => setTimeout(resolve, 0))
  context.waitUntil(turn.then(task).catch((error: unknown) => logFailure(error, { requestId })))
}

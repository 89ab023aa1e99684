/** Safari has no idle callback. */
const IDLE_MS = 1000

/** Runs a task while nothing else happens. */
export function whenIdle(task: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(task)
  else setTimeout(task, IDLE_MS)
}

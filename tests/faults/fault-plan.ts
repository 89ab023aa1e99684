/** What can befall one call of a store. Whoever made it cannot tell most of these apart. */
export type Fault =
  /** It fails before anything was done. */
  | 'refused'
  /** It is done, and the answer does not come back. */
  | 'lost'
  /** Nothing is done and no answer ever comes. */
  | 'stalled'
  /** The same, and when everybody has given up it is done after all. */
  | 'late'
  /** It is done, and whoever asked is no more: nothing of theirs goes on. */
  | 'killed'

export const faults: readonly Fault[] = ['refused', 'lost', 'stalled', 'late', 'killed']

/** One call of a store, before it is made. */
export type Call = { store: 'D1' | 'KV'; isRead: boolean; isBatch: boolean; what: string }

export type FaultPlan = {
  /** Asked once for every call. */
  faultOf(call: Call): Fault | null
  /** Told when a call was done that nobody lives to see. */
  onKilled(): void
  /** Told of what will be done when everybody has given up. */
  onLate(done: Promise<unknown>): void
}

/** Behind the five seconds for which the Worker waits (src/storage/deadline.ts). */
const LATE = 5_300 // ms

/** Makes the call as the fault will have it. `broken` is how this store says that it failed. */
export async function callWithFault<T>(
  fault: Fault | null,
  { onKilled, onLate }: Pick<FaultPlan, 'onKilled' | 'onLate'>,
  { call, broken }: { call: () => Promise<T>; broken: () => Error },
): Promise<T> {
  switch (fault) {
    case null:
      return call()
    case 'refused':
      throw broken()
    case 'lost':
      await call()
      throw broken()
    case 'stalled':
      return never()
    case 'late':
      onLate(new Promise((resolve) => setTimeout(resolve, LATE)).then(call))
      return never()
    case 'killed':
      await call()
      onKilled()
      return never()
  }
}

const never = <T>() => new Promise<T>(() => {})

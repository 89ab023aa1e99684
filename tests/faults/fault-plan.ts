/** A fault of one call of a store. The caller cannot distinguish most of them. */
export type Fault =
  /** The call fails before anything is done. */
  | 'refused'
  /** The call is done, and its answer is lost. */
  | 'lost'
  /** Nothing is done, and no answer comes. */
  | 'stalled'
  /** The same, and the call is done after every caller has given up. */
  | 'late'
  /** The call is done, and the isolate that made it ends. */
  | 'killed'

export const faults: readonly Fault[] = ['refused', 'lost', 'stalled', 'late', 'killed']

/** One call of a store, before it is made. */
export type Call = { store: 'D1' | 'KV'; isRead: boolean; isBatch: boolean; what: string }

export type FaultPlan = {
  /** Called once for every call. */
  faultOf(call: Call): Fault | null
  /** Called when the call of an ending isolate is done. */
  onKilled(): void
  /** Called with the work that is done late. */
  onLate(done: Promise<unknown>): void
}

/** Behind the five seconds for which the Worker waits (src/storage/deadline.ts). */
const LATE = 5_300 // ms

/** Makes the call with the fault. `broken` is the error of this store. */
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

/** A fault in one call to a store. Callers cannot distinguish most kinds of fault. */
export type Fault =
  /** The call fails before it takes effect. */
  | 'refused'
  /** The call takes effect, but its response is lost. */
  | 'lost'
  /** The call has no effect, and no response arrives. */
  | 'stalled'
  /** No response arrives. The call takes effect after every caller has stopped waiting. */
  | 'late'
  /** The call takes effect, and the isolate that made it is terminated. */
  | 'killed'

/** The error of a call from a terminated isolate, which has no effect. */
export type IsolateEnded = 'ended'

export const everyFaultKind: readonly Fault[] = ['refused', 'lost', 'stalled', 'late', 'killed']

/** A call to a store that is about to be made. */
export type StoreCall = { store: 'D1' | 'KV'; isRead: boolean; isBatch: boolean; what: string }

export type FaultPlan = {
  /** Called before every call to a store. */
  faultOf(call: StoreCall): Fault | IsolateEnded | null
  /** Called when an isolate is terminated, after its last call has taken effect. */
  onKilled(): void
  /** Called with the promise of a call that takes effect late. */
  onLate(done: Promise<unknown>): void
  /**
   * The time in milliseconds after which a call without a response fails. In production, the Worker's own
   * deadline makes it fail.
   */
  givesUpAfter?: number
}

/** The time that the Worker waits for a response from a store (src/storage/deadline.ts). */
const DEADLINE = 5_000 // ms

/** The time between the deadline and the execution of a late call. */
const LATE = 300 // ms

/** Makes the call with the fault. `broken` creates the error that this store throws for a failed call. */
export async function callWithFault<T>(
  fault: Fault | IsolateEnded | null,
  { onKilled, onLate, givesUpAfter }: Pick<FaultPlan, 'onKilled' | 'onLate' | 'givesUpAfter'>,
  { store, call, broken }: { store: StoreCall['store']; call: () => Promise<T>; broken: () => Error },
): Promise<T> {
  switch (fault) {
    case null:
      return call()
    case 'refused':
      throw broken()
    case 'lost':
      await call()
      throw broken()
    case 'ended':
      throw isolateEnded()
    case 'stalled':
      return noAnswer(store, givesUpAfter)
    case 'late':
      onLate(passed((givesUpAfter ?? DEADLINE) + LATE).then(call))
      return noAnswer(store, givesUpAfter)
    case 'killed':
      await call()
      onKilled()
      throw isolateEnded()
  }
}

/**
 * Nobody receives the response. The rest of the request fails at once, because tests of another file may
 * already run when the deadline is reached.
 */
const isolateEnded = () => new Error('the isolate has ended')

const never = <T>() => new Promise<T>(() => {})

const passed = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

async function noAnswer<T>(store: StoreCall['store'], givesUpAfter: number | undefined): Promise<T> {
  if (givesUpAfter === undefined) return never()
  await passed(givesUpAfter)
  throw new Error(`${store} timed out`)
}

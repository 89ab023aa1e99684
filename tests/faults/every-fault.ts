import { expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import type { Fault } from './fault-plan.ts'
import { type FaultyApp, openFaultyApp, type PlannedFault } from './faulty-app.ts'

/** What somebody does, and how to see afterwards that it happened once. */
export type Journey<Before, Outcome> = {
  /** What a person may be told on the way, besides to try again. Never that their password is wrong. */
  mayHear: readonly string[]
  /** What they are told although nothing went wrong. */
  mustHear?: readonly string[]
  /** Before anything goes wrong. */
  before(app: TestApp): Promise<Before>
  make(faulty: FaultyApp, before: Before): Promise<Outcome>
  /** What is wrong with what is there now. */
  problems(outcome: Outcome, before: Before, faulty: FaultyApp): Promise<string[]>
  /** It changes what is there once for everybody: never two of it at a time. */
  isAlone?: true
}

/** Faults that take their time are met side by side, the others one after another. */
const slow: readonly Fault[] = ['stalled', 'late']

/**
 * A stall does nothing, as a refusal does; what differs is that time passes. Where not every call is tried with it, so many
 * are, spread over the journey. In turn each would take five seconds.
 */
const STALLED = 6
const STALLED_IN_TURN = 3

/** The journey with every one of its calls failing, once in each way; and with some that never answer, in any case. */
export function testEveryFault<Before, Outcome>(
  journey: Journey<Before, Outcome>,
  kinds: readonly Fault[],
): void {
  it.each(kinds)('each call %s', { timeout: 150_000 }, async (fault) => {
    const { calls, problems: without } = await travel(null)
    expect(without).toEqual([])
    expect(calls.length).toBeGreaterThan(1)
    const plannedFaults = calls.map((_call, at) => ({ at, fault }))
    expect(await problemsOf(plannedFaults)).toEqual([])
  })
  it.runIf(!kinds.includes('stalled'))('some calls stalled', { timeout: 150_000 }, async () => {
    const { calls } = await travel(null)
    const places = spread(calls.length, journey.isAlone ? STALLED_IN_TURN : STALLED)
    expect(places.length).toBeGreaterThan(1)
    expect(await problemsOf(places.map((at) => ({ at, fault: 'stalled' })))).toEqual([])
  })

  async function problemsOf(plannedFaults: readonly PlannedFault[]): Promise<string[]> {
    const tries = plannedFaults.map((plannedFault) => () => travel(plannedFault))
    const isSideBySide = plannedFaults.some(({ fault }) => slow.includes(fault)) && !journey.isAlone
    const found = isSideBySide ? await sideBySide(tries) : await inTurn(tries)
    return found.flatMap(({ problems }) => problems)
  }

  async function travel(plannedFault: FaultyApp['plannedFault']) {
    const before = await journey.before(openTestApp())
    const faulty = openFaultyApp(plannedFault)
    const at = () => {
      const call = plannedFault && faulty.calls[plannedFault.at]
      const what = call
        ? `${plannedFault.fault}: call ${plannedFault.at}, ${call.store} ${call.what.slice(0, 160)}`
        : 'without a fault'
      return `${what}, ${faulty.struck ?? 'not'} met:`
    }
    try {
      const outcome = await journey.make(faulty, before)
      await faulty.rest()
      const problems = [...faulty.complaints, ...(await journey.problems(outcome, before, faulty))]
      const unheardOf = faulty.refusals.filter(
        (code) => !(plannedFault ? journey.mayHear : (journey.mustHear ?? [])).includes(code),
      )
      if (unheardOf.length > 0) problems.push(`said ${unheardOf.join(', ')}`)
      return { calls: faulty.calls, problems: problems.map((problem) => `${at()} ${problem}`) }
    } catch (error) {
      const heard = [...faulty.complaints, ...faulty.refusals].join(', ')
      return { calls: faulty.calls, problems: [`${at()} ${String(error)} (${heard})`] }
    }
  }
}

/** The first, the last and what is between them in equal steps. */
function spread(length: number, most: number): number[] {
  const count = Math.min(length, most)
  return Array.from({ length: count }, (_, i) => Math.round((i * (length - 1)) / Math.max(1, count - 1)))
}

const sideBySide = <T>(tasks: readonly (() => Promise<T>)[]) => Promise.all(tasks.map((task) => task()))

async function inTurn<T>(tasks: readonly (() => Promise<T>)[]): Promise<T[]> {
  const results: T[] = []
  for (const task of tasks) results.push(await task())
  return results
}

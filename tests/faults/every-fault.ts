import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { spread } from '../kit/sweep.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import type { Fault, StoreCall } from './fault-plan.ts'
import { type FaultyApp, openFaultyApp, type PlannedFault } from './faulty-app.ts'

/** A use case, with a check that it took effect exactly once. */
export type FaultJourney<Before, Outcome> = {
  /**
   * The error codes that the client may get during the use case, in addition to "try again". It must never
   * get "wrong password".
   */
  allowedCodes: readonly string[]
  /** The error codes that the client gets even if no call fails. */
  expectedCodes?: readonly string[]
  /** Prepares the use case. No fault occurs during this call. */
  before(app: TestApp): Promise<Before>
  make(faulty: FaultyApp, before: Before): Promise<Outcome>
  /** Returns the inconsistencies that the use case has left in the database. */
  problems(outcome: Outcome, before: Before, faulty: FaultyApp): Promise<string[]>
  /** Set if the use case changes data of the whole tenant, so that no two runs of it may overlap. */
  isAlone?: true
  /** Returns the indices of the calls that another test file covers. `npm test` skips these calls. */
  elsewhere?: () => Promise<readonly StoreCall[]>
}

/** The kinds of fault that take five seconds in the exhaustive run. */
const slow: readonly Fault[] = ['stalled', 'late']

/** The number of calls to stall in a use case that cannot run in parallel. Each stall takes five seconds. */
const STALLED_ALONE = 3

const MINUTES = 60_000

/**
 * Runs the use case with a fault in one call at a time. In the exhaustive run, each call has every fault. In `npm
 * test`, every third statement of a file has one fault, and the kinds of faults take turns. Calls that another file
 * covers have none.
 */
export function testEveryFault<Before, Outcome>(
  journey: FaultJourney<Before, Outcome>,
  kinds: readonly Fault[],
): void {
  const { isExhaustive } = env.TEST_SWEEP
  const everyKind: readonly Fault[] = kinds.includes('stalled') ? kinds : [...kinds, 'stalled']

  async function callsWithoutFault(): Promise<StoreCall[]> {
    const { calls, problems } = await travel(null)
    expect(problems).toEqual([])
    expect(calls.length).toBeGreaterThan(1)
    return calls
  }

  it.runIf(!isExhaustive)(
    'succeeds exactly once with a fault in each call',
    { timeout: 10 * MINUTES },
    async () => {
      const calls = await callsWithoutFault()
      const elsewhere = (await journey.elsewhere?.()) ?? []
      expect(await problemsOf(chooseFaults(calls, everyKind, elsewhere))).toEqual([])
    },
  )

  it.runIf(isExhaustive).each(everyKind)(
    'succeeds exactly once with each call %s in turn',
    { timeout: 10 * MINUTES },
    async (fault) => {
      const calls = await callsWithoutFault()
      const isTooSlow = fault === 'stalled' && journey.isAlone
      expect(
        await problemsOf(isTooSlow ? stallsOf(calls) : calls.map((_call, at) => ({ at, fault }))),
      ).toEqual([])
    },
  )

  /** Plans a stall in the first call, in the last call and in one call in between. */
  const stallsOf = (calls: readonly StoreCall[]): PlannedFault[] =>
    spread([...calls.keys()], STALLED_ALONE).map((at) => ({ at, fault: 'stalled' }))

  async function problemsOf(plannedFaults: readonly PlannedFault[]): Promise<string[]> {
    const tries = (faults: readonly PlannedFault[]) =>
      faults.map((plannedFault) => () => travel(plannedFault))
    const isSlow = ({ fault }: PlannedFault) => slow.includes(fault)
    const results = journey.isAlone
      ? await inTurn(tries(plannedFaults))
      : (
          await Promise.all([
            sideBySide(tries(plannedFaults.filter(isSlow))),
            inTurn(tries(plannedFaults.filter((planned) => !isSlow(planned)))),
          ])
        ).flat()
    return results.flatMap(({ problems }) => problems)
  }

  async function travel(plannedFault: FaultyApp['plannedFault']) {
    const before = await journey.before(openTestApp())
    const faulty = openFaultyApp(plannedFault)
    const at = () => {
      const call = plannedFault && faulty.calls[plannedFault.at]
      const what = call
        ? `${plannedFault.fault}: call ${plannedFault.at}, ${call.store} ${call.what.slice(0, 160)}`
        : 'without a fault'
      return `${what}, ${faulty.faultAt ?? 'not'} met:`
    }
    try {
      const outcome = await journey.make(faulty, before)
      await faulty.rest()
      const problems = [...faulty.complaints, ...(await journey.problems(outcome, before, faulty))]
      const unexpected = faulty.refusals.filter(
        (code) => !(plannedFault ? journey.allowedCodes : (journey.expectedCodes ?? [])).includes(code),
      )
      if (unexpected.length > 0) problems.push(`answered ${unexpected.join(', ')}`)
      return { calls: faulty.calls, problems: problems.map((problem) => `${at()} ${problem}`) }
    } catch (error) {
      const answered = [...faulty.complaints, ...faulty.refusals].join(', ')
      return { calls: faulty.calls, problems: [`${at()} ${String(error)} (${answered})`] }
    }
  }
}

/** The statements that have had their turn, by test file, because one Worker runs several files. */
const testedInFiles = new Map<string, Set<string>>()

function testedInThisFile(): Set<string> {
  const file = expect.getState().testPath ?? ''
  const tested = testedInFiles.get(file) ?? new Set<string>()
  testedInFiles.set(file, tested)
  return tested
}

/** In `npm test`, one of this many statements has a fault. */
const STATEMENTS_PER_FAULT = 3

/**
 * Chooses every third of the calls whose statement is not yet in the set of this file, each with the next kind of fault.
 */
function chooseFaults(
  calls: readonly StoreCall[],
  kinds: readonly Fault[],
  elsewhere: readonly StoreCall[],
): PlannedFault[] {
  const tested = testedInThisFile()
  const skipped = new Set(elsewhere.map(statementOf))
  return calls.flatMap((call, at) => {
    const statement = statementOf(call)
    const turn = tested.size / STATEMENTS_PER_FAULT
    const fault = kinds[turn % kinds.length]
    if (skipped.has(statement) || tested.has(statement)) return []
    tested.add(statement)
    // Between the turns, the number is not an integer.
    return fault ? [{ at, fault }] : []
  })
}

/** Identifies the statement of a call. For KV, this is the method without the key. */
const statementOf = ({ what }: StoreCall) => what.replace(/^(GET|PUT|DELETE) .*/, '$1')

const sideBySide = <T>(tasks: readonly (() => Promise<T>)[]) => Promise.all(tasks.map((task) => task()))

async function inTurn<T>(tasks: readonly (() => Promise<T>)[]): Promise<T[]> {
  const results: T[] = []
  for (const task of tasks) results.push(await task())
  return results
}

import { afterAll, afterEach, type RunnerTestSuite } from 'vitest'

/**
 * Setup of the tests in the Workers runtime. The Worker logs a line for every request, and to carry each line to the
 * process of Vitest was a tenth of their time. So the last lines stay here, and are printed when a test or a hook fails.
 */
const KEPT = 200

/** Survives from file to file: one Worker runs them all (`isolate: false`). */
const worker = globalThis as { keptLog?: { lines: unknown[][]; print: () => void } }

worker.keptLog ??= keepLog()
const { lines, print } = worker.keptLog
lines.length = 0

afterEach(({ task }) => {
  if (task.result?.state === 'fail') print()
})

const printAfterFailedHook = (_given: unknown, { result, tasks }: Readonly<RunnerTestSuite>) => {
  if ([result, ...tasks.map((task) => task.result)].some((each) => each?.state === 'fail')) print()
}
// Bound, because Vitest reads the parameters of a hook in its source, and wants none that it does not know.
afterAll(printAfterFailedHook.bind(null))

function keepLog() {
  const lines: unknown[][] = []
  const print = console.log.bind(console)
  const keep = (...given: unknown[]) => {
    lines.push(given)
    if (lines.length > KEPT) lines.shift()
  }
  Object.assign(console, { log: keep, info: keep, warn: keep, error: keep })
  return {
    lines,
    print() {
      for (const line of lines.splice(0)) print(...line)
    },
  }
}

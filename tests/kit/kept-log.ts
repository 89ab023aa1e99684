import { afterAll, afterEach, type RunnerTestSuite } from 'vitest'

/**
 * Setup of the tests in the Workers runtime. The Worker logs a line for every request, and sending each line to the
 * process of Vitest took a tenth of their time. So the last lines stay here, and are printed if a test or a hook fails.
 */
const MAX_LINES = 200

/** This object survives from file to file, because one Worker runs them all (`isolate: false`). */
const worker = globalThis as { keptLog?: { lines: unknown[][]; print: () => void } }

worker.keptLog ??= keepLog()
const { lines, print } = worker.keptLog
lines.length = 0

afterEach(({ task }) => {
  if (task.result?.state === 'fail') print()
})

const printAfterFailedHook = (_context: unknown, { result, tasks }: Readonly<RunnerTestSuite>) => {
  if ([result, ...tasks.map((task) => task.result)].some((each) => each?.state === 'fail')) print()
}
// The hook is bound, because Vitest reads the parameters of a hook from its source and rejects those that it does not
// know.
afterAll(printAfterFailedHook.bind(null))

function keepLog() {
  const lines: unknown[][] = []
  const print = console.log.bind(console)
  const record = (...line: unknown[]) => {
    lines.push(line)
    if (lines.length > MAX_LINES) lines.shift()
  }
  Object.assign(console, { log: record, info: record, warn: record, error: record })
  return {
    lines,
    print() {
      for (const line of lines.splice(0)) print(...line)
    },
  }
}

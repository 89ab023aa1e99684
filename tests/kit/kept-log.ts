import { afterAll, afterEach, type RunnerTestSuite } from 'vitest'

/**
 * A setup file for tests in the Workers runtime. The Worker logs a line for every request, and sending the
 * lines to the Vitest process took a tenth of the tests' time. This file keeps only the latest lines and
 * prints them if a test or a hook fails.
 */
const MAX_LINES = 200

/** This object is shared by all test files, because one Worker runs them all (`isolate: false`). */
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
// Vitest parses the source of a hook and rejects parameters that it does not know; binding the hook hides its source.
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

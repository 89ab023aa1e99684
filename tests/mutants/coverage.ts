import { afterAll, afterEach, beforeAll, beforeEach, inject, type RunnerTask } from 'vitest'

/**
 * Records which test reaches which mutant, and activates a mutant. StrykerJS has a set-up file for this, but
 * the Workers runtime loads a JavaScript file only once for all test files (`isolate: false`), so that file
 * would see only the first test file.
 */
type Namespace = { activeMutant?: string; currentTestId?: string | undefined; mutantCoverage?: unknown }

const injected = inject as (key: string) => string
const globals = globalThis as Record<string, unknown>
globals[injected('globalNamespace')] ??= {}
const namespace = globals[injected('globalNamespace')] as Namespace

if (injected('mode') === 'mutant') {
  beforeAll(() => {
    namespace.activeMutant = injected('activeMutant')
  })
} else {
  beforeEach(({ task }) => {
    namespace.currentTestId = `${task.file.filepath}#${titleOf(task)}`
  })
  afterEach(() => {
    namespace.currentTestId = undefined
  })
  const record = (_context: unknown, suite: { meta: object }) => {
    Object.assign(suite.meta, { mutantCoverage: namespace.mutantCoverage })
  }
  // Bind the hook, because Vitest reads the parameters of a hook from its source and rejects those that it
  // does not know.
  afterAll(record.bind(null))
}

function titleOf(task: RunnerTask): string {
  const names = [task.name]
  for (let { suite } = task; suite; suite = suite.suite) names.unshift(suite.name)
  return names.join(injected('testNameSeparator')).trim()
}

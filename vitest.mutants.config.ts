import { defineConfig } from 'vitest/config'

const { default: whole } = await import('./vitest.config.ts')

/**
 * The name of the project of `vitest.config.ts` that StrykerJS runs, because it runs no workspaces
 * (scripts/mutants.mjs).
 */
const name = process.env.MUTANTS ?? 'node'
const project = whole.test?.projects?.find(
  (row) => typeof row === 'object' && 'test' in row && row.test?.name === name,
)
if (typeof project !== 'object' || !('test' in project))
  throw new Error(`vitest.config.ts has no project ${name}`)

export default defineConfig({
  ...project,
  test: {
    ...project.test,
    ...(name === 'node' && { include: ['tests/domain/**/*.test.ts'] }),
    ...(name === 'node' && { isolate: true, setupFiles: ['./tests/mutants/no-shrinking.ts'] }),
    // Mutants of outbound calls are not drawn. The sweeps of faults take minutes, and other tests reach the same lines.
    ...(name === 'workers' && {
      exclude: [...(project.test?.exclude ?? []), 'tests/outbound/**', 'tests/faults/**'],
      setupFiles: ['./tests/mutants/coverage.ts', ...(project.test?.setupFiles ?? [])],
    }),
    maxWorkers: 1,
    // Instrumented code counts what it runs, and a mutant that never sends a response waits for this long.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    silent: true,
  },
})

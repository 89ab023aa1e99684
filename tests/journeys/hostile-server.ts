import type { TestProject } from 'vitest/node'
import { startServer } from './started-server.ts'

/** The server of the browser journeys: the Worker on a platform with faults that no user may notice (docs/faults.md). */
export default (project: TestProject) =>
  startServer(project, { entry: 'tests/faults/hostile-worker.ts', mark: 'x-hostile-platform' })

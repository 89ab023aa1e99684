import { type Deployment, NoAnswer } from '../deployment.ts'
import { CommandFailure } from '../failure.ts'
import type { Terminal } from '../terminal.ts'
import type { CurrentState } from './current-state.ts'
import { fingerprint } from './fingerprint.ts'

/**
 * Tells the tenant which sections of the file it is managed by, and their state (spec/management#managed-by-code). No command reads
 * it, so one that cannot write it has still carried out its file.
 */
export async function recordManaged(
  deployment: Deployment,
  { sections, read, terminal }: { sections: string[]; read: () => Promise<CurrentState>; terminal: Terminal },
): Promise<void> {
  if (sections.length === 0) return
  try {
    const body = { sections, fingerprint: await fingerprint(await read(), sections) }
    await deployment.send('put', 'configs/code', body, NoAnswer)
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error
    terminal.warn(`The console is not told that this tenant is managed by code: ${error.message}`)
  }
}

import { onTestFinished, vi } from 'vitest'
import type { Environment } from '../../operator/environment.ts'

/** The environment of a command inside a test, without a server unless `fetch` is one. `said` answers its stdout. */
export function newEnvironment(parts: Partial<Environment> = {}): {
  environment: Environment
  said: () => string
} {
  let said = ''
  const written = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    said += String(text)
    return true
  })
  onTestFinished(() => written.mockRestore())
  const environment: Environment = {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    env: { VESTIBULE_ORIGIN: 'http://localhost:1', VESTIBULE_CLIENT_SECRET: 'secret' },
    folder: process.cwd(),
    fetch: async () => Promise.reject(new TypeError('No server')),
    resolver: { resolveTxt: async () => [] },
    now: Date.now,
    onStop: () => () => undefined,
    ...parts,
  }
  return { environment, said: () => said }
}

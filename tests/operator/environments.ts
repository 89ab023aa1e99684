import { onTestFinished, vi } from 'vitest'
import type { Environment } from '../../operator/environment.ts'

/**
 * Creates the environment in which a test runs a command. Without `fetch`, every request fails. `stdoutText` returns
 * the command's output.
 */
export function newEnvironment(parts: Partial<Environment> = {}): {
  environment: Environment
  stdoutText: () => string
} {
  let output = ''
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    output += String(text)
    return true
  })
  onTestFinished(() => spy.mockRestore())
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
  return { environment, stdoutText: () => output }
}

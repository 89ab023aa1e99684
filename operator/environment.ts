import type { Resolver } from 'node:dns/promises'

/** A stream that may be a terminal. */
type Input = NodeJS.ReadableStream & { isTTY?: boolean }
type Output = NodeJS.WritableStream & { isTTY?: boolean; columns?: number }

/** What a command reads and calls outside of itself; tests pass their own. */
export type Environment = {
  stdin: Input
  stdout: Output
  stderr: Output
  env: Readonly<Record<string, string | undefined>>
  /** Relative paths of files start here. */
  folder: string
  fetch: (input: RequestInfo | URL, init?: RequestInit) => Promise<Response>
  resolver: Pick<Resolver, 'resolveTxt'>
  /** Epoch milliseconds. */
  now(): number
  /** Calls `stop` on Ctrl-C instead of ending the process; answers a function that removes the handler. */
  onStop(stop: () => void): () => void
}

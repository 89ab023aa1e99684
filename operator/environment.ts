import type { Resolver } from 'node:dns/promises'

/** A stream that may be a terminal. */
type Input = NodeJS.ReadableStream & { isTTY?: boolean }
type Output = NodeJS.WritableStream & { isTTY?: boolean; columns?: number }

/** Everything that a command reads and calls outside its own code. Tests pass their own environment. */
export type Environment = {
  stdin: Input
  stdout: Output
  stderr: Output
  env: Readonly<Record<string, string | undefined>>
  /** The folder to which relative paths of files refer. */
  folder: string
  fetch: (input: RequestInfo | URL, init?: RequestInit) => Promise<Response>
  resolver: Pick<Resolver, 'resolveTxt'>
  /** Returns the time in epoch milliseconds. */
  now(): number
  /** Calls `stop` on Ctrl-C instead of exiting the process. Returns a function that removes the handler. */
  onStop(stop: () => void): () => void
}

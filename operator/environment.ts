import type { Resolver } from 'node:dns/promises'

/** A stream that may be connected to a terminal. */
type Input = NodeJS.ReadableStream & { isTTY?: boolean }
type Output = NodeJS.WritableStream & { isTTY?: boolean; columns?: number }

/** Everything outside its own code that a command reads or calls. Tests pass an environment of their own. */
export type Environment = {
  stdin: Input
  stdout: Output
  stderr: Output
  env: Readonly<Record<string, string | undefined>>
  /** The folder against which relative file paths are resolved. */
  folder: string
  fetch: (input: RequestInfo | URL, init?: RequestInit) => Promise<Response>
  resolver: Pick<Resolver, 'resolveTxt'>
  /** Returns the time in epoch milliseconds. */
  now(): number
  /** Makes Ctrl-C call `stop` instead of ending the process. Returns a function that removes this handler. */
  onStop(stop: () => void): () => void
}

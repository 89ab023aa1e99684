import type { Resolver } from 'node:dns/promises'

/** Everything outside a command, so that tests can hand in another (style 9). */
export type Environment = {
  stdin: NodeJS.ReadStream
  stdout: NodeJS.WriteStream
  stderr: NodeJS.WriteStream
  env: Readonly<Record<string, string | undefined>>
  /** Relative files are looked for here. */
  folder: string
  fetch: (input: RequestInfo | URL, init?: RequestInit) => Promise<Response>
  resolver: Pick<Resolver, 'resolveTxt'>
  /** Epoch milliseconds. */
  now(): number
  /** Runs what is given when the operator wants to stop (Ctrl-C), instead of ending at once; answers how to take it back. */
  onStop(stop: () => void): () => void
}

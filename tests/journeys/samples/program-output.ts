import { expect } from 'vitest'
import type { Program } from './run-sample.ts'

/** Waits until a program has printed text that matches, and returns the groups of the last match. */
export async function printed({ output, child }: Program, pattern: RegExp): Promise<readonly string[]> {
  const find = () => [...output().matchAll(pattern)].at(-1)
  await expect.poll(() => find() !== undefined || child.exitCode !== null, { timeout: 30_000 }).toBe(true)
  const match = find()
  if (!match) throw new Error(`The program ended without printing ${pattern}:\n${output()}`)
  return match.slice(1)
}

/** Polls the exit code of a program, which is null as long as the program runs. */
export const exitCode = ({ child }: Program) => expect.poll(() => child.exitCode, { timeout: 10_000 })

import { existsSync } from 'node:fs'
import path from 'node:path'
import { expect } from 'vitest'
import type { GuideValues } from '../../../console/areas/applications/guides/sample.ts'
import { browserSweep } from '../browser.ts'
import { copySample, type Program, runToEnd, type SampleCopy } from './run-sample.ts'

/**
 * Copies a sample with the given values, and in an exhaustive run installs its packages. Otherwise, it uses those of
 * this repository.
 */
export async function prepareProgram(id: string, values: GuideValues): Promise<SampleCopy> {
  const copy = await copySample(id, values)
  if (browserSweep.isExhaustive && existsSync(path.join(copy.folder, 'package.json')))
    await runToEnd('npm install --no-audit --no-fund', copy.folder)
  return copy
}

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

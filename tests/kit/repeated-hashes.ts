import { afterAll } from 'vitest'
import { type Argon2Input, argon2By as computing } from '../../src/storage/passwords/argon2.ts'
import { NATIVE_MEMORY_KIB } from '../../src/storage/tables/passwords/password-work.ts'

/**
 * In place of `src/storage/passwords/argon2.ts` for the tests in the Workers runtime (vitest.config.ts): a hash with our own memory, of
 * which each takes 30 ms, is computed with the least memory there is, unless a test asks for `wholeHashes()`. It depends
 * on the same inputs. An imported hash with other memory is computed as it is, and an input that was there before has the
 * hash of before.
 */
export const argon2By: typeof computing = (module) => {
  const compute = computing(module)
  return (input) => {
    worker.countedHashes = hashesSoFar() + 1
    const computed = areWhole ? input : inLittleMemory(input)
    const key = JSON.stringify({ ...computed, password: [...input.password], salt: [...input.salt] })
    const hash = known.get(key) ?? compute(computed)
    known.set(key, hash)
    return hash.slice()
  }
}

const inLittleMemory = (input: Argon2Input): Argon2Input =>
  input.memoryKib === NATIVE_MEMORY_KIB ? { ...input, memoryKib: MIN_KIB * input.concurrency } : input

/** RFC 9106 §3.1: for each lane. */
const MIN_KIB = 8

let areWhole = false

/** This file has hashes as the Worker that is deployed computes them; those that come after it in the same Worker do not. */
export function wholeHashes(): void {
  areWhole = true
  afterAll(() => {
    areWhole = false
  })
}

const known = new Map<string, Uint8Array>()
/** Survives from file to file: one Worker runs them all (`isolate: false`). */
const worker = globalThis as { countedHashes?: number }

/** How many hashes were asked for since the Worker began. */
export const hashesSoFar = (): number => worker.countedHashes ?? 0

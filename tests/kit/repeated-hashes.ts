import { afterAll } from 'vitest'
import { type Argon2Input, createArgon2 as computing } from '../../src/storage/passwords/argon2.ts'
import { NATIVE_MEMORY_KIB } from '../../src/storage/tables/passwords/password-work.ts'

/**
 * Replaces `src/storage/passwords/argon2.ts` in tests in the Workers runtime (vitest.config.ts). A hash with our own
 * parameters takes 30 ms, so it is computed from the same inputs with the smallest possible memory, unless a test calls
 * `wholeHashes()`. An imported hash with another memory is computed unchanged. Inputs that were seen before get the
 * same hash again.
 */
export const createArgon2: typeof computing = (module) => {
  const compute = computing(module)
  return (input) => {
    worker.countedHashes = hashesSoFar() + 1
    const computed = usesFullMemory ? input : withLittleMemory(input)
    const key = JSON.stringify({ ...computed, password: [...input.password], salt: [...input.salt] })
    const hash = knownHashes.get(key) ?? compute(computed)
    knownHashes.set(key, hash)
    return hash.slice()
  }
}

const withLittleMemory = (input: Argon2Input): Argon2Input =>
  input.memoryKib === NATIVE_MEMORY_KIB ? { ...input, memoryKib: MIN_KIB * input.concurrency } : input

/** The minimum for each lane (RFC 9106 §3.1). */
const MIN_KIB = 8

let usesFullMemory = false

/** Makes this file compute hashes as the deployed Worker does; the files after it in the same Worker do not. */
export function wholeHashes(): void {
  usesFullMemory = true
  afterAll(() => {
    usesFullMemory = false
  })
}

const knownHashes = new Map<string, Uint8Array>()
/** This object survives from file to file, because one Worker runs them all (`isolate: false`). */
const worker = globalThis as { countedHashes?: number }

/** Returns how many hashes were computed since the Worker started. */
export const hashesSoFar = (): number => worker.countedHashes ?? 0

import { afterAll } from 'vitest'
import { type Argon2Input, createArgon2 as computing } from '../../src/storage/passwords/argon2.ts'
import { NATIVE_MEMORY_KIB } from '../../src/storage/tables/passwords/password-work.ts'

/**
 * Replaces `src/storage/passwords/argon2.ts` for tests in the Workers runtime (vitest.config.ts). A hash with
 * our own parameters takes 30 ms, so this file computes it with the least possible memory, unless a test
 * calls `wholeHashes()`. Imported hashes with other memory sizes are computed in full. Hashes are cached by
 * their inputs.
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

/** The minimum memory per lane (RFC 9106 §3.1). */
const MIN_KIB = 8

let usesFullMemory = false

/**
 * Makes the calling test file compute hashes with full memory, as the deployed Worker does. Later test files
 * are not affected.
 */
export function wholeHashes(): void {
  usesFullMemory = true
  afterAll(() => {
    usesFullMemory = false
  })
}

const knownHashes = new Map<string, Uint8Array>()
/** This object is shared by all test files, because one Worker runs them all (`isolate: false`). */
const worker = globalThis as { countedHashes?: number }

/** Returns the number of hashes that were requested since the Worker started. */
export const hashesSoFar = (): number => worker.countedHashes ?? 0

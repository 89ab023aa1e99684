import { bcrypt, createSHA256, createSHA512, pbkdf2, scrypt } from '../../../build/wasm/hash-wasm.js'
import {
  BCRYPT_WORK,
  NATIVE_MEMORY_KIB,
  NATIVE_WORK,
  PBKDF2_WORK,
  SCRYPT_WORK,
} from '../tables/passwords/password-work.ts'
import type { CostliestHash } from '../users/users.ts'
import { argon2, detectHashMethod, runOneHashAtATime } from './password-hash.ts'

/** A hash whose only purpose is to take time. Its result is ignored. */
export type DummyHash =
  | { by: 'Argon2id'; memoryKib: number; passes: number }
  | { by: 'Bcrypt'; costFactor: number }
  | { by: 'Scrypt'; parallelism: number }
  | { by: 'PBKDF2'; hash: 'sha256' | 'sha512'; iterations: number }

/**
 * Returns the dummy hashes that a wrong password requires after `workDone`, so that all attempts take the same time
 * (spec/accounts#equal-work). They use the method of the strongest stored hash, which keeps differences between
 * processors small.
 */
export function selectDummyHashes(workDone: number, strongest: CostliestHash | undefined): DummyHash[] {
  const { form, work } = strongest ?? { form: '', work: NATIVE_WORK }
  const missing = work - workDone
  if (missing < work * MIN_PART) return []
  switch (detectHashMethod(form)) {
    case 'Bcrypt':
      return dummyBcryptHashes(missing)
    case 'Scrypt':
      return [{ by: 'Scrypt', parallelism: Math.max(1, Math.round(missing / SCRYPT_LANE_WORK)) }]
    case 'PBKDF2': {
      const hash = form.startsWith('$pbkdf2-sha512') ? 'sha512' : 'sha256'
      return [{ by: 'PBKDF2', hash, iterations: Math.ceil(missing / PBKDF2_WORK[hash]) }]
    }
    case 'Argon2id':
    case 'Argon2i':
    case 'SHA256':
    case 'SHA512':
    case null: {
      const passes = Math.ceil(missing / NATIVE_MEMORY_KIB)
      return [{ by: 'Argon2id', memoryKib: Math.ceil(missing / passes), passes }]
    }
  }
}

export async function runDummyHashes(hashes: readonly DummyHash[], password: string): Promise<void> {
  for (const dummy of hashes) await run(dummy, password)
}

/** Smaller differences in work are hidden by the natural variation between attempts. */
const MIN_PART = 0.02

/**
 * Returns hashes whose work adds up to the missing amount. Each increment of the cost doubles the number of rounds, so
 * the set bits of a number determine which costs to use.
 */
function dummyBcryptHashes(missing: number): DummyHash[] {
  const costs = [13, 12, 11, 10, 9, 8, 7, 6, 5, 4]
  const rounds = Math.round(missing / BCRYPT_WORK)
  return costs.flatMap((costFactor) => (rounds & (2 ** costFactor) ? [{ by: 'Bcrypt', costFactor }] : []))
}

const SCRYPT = { costFactor: 2 ** 12, blockSize: 8, hashLength: 32, outputType: 'binary' } as const
const SCRYPT_LANE_WORK = SCRYPT.costFactor * SCRYPT.blockSize * SCRYPT_WORK
const MIN_ARGON2_KIB = 8
const BCRYPT_BYTES = 72

async function run(dummy: DummyHash, password: string): Promise<unknown> {
  const salt = crypto.getRandomValues(new Uint8Array(16))
  const bytes = new TextEncoder().encode(password)
  switch (dummy.by) {
    case 'Argon2id': {
      const memoryKib = Math.max(MIN_ARGON2_KIB, dummy.memoryKib)
      const { passes } = dummy
      return argon2({
        type: 'argon2id',
        password: bytes,
        salt,
        memoryKib,
        passes,
        concurrency: 1,
        hashBytes: 32,
      })
    }
    case 'Bcrypt': {
      const { costFactor } = dummy
      const usedBytes = bytes.subarray(0, BCRYPT_BYTES)
      return runOneHashAtATime(() => bcrypt({ password: usedBytes, salt, costFactor, outputType: 'binary' }))
    }
    case 'Scrypt':
      return runOneHashAtATime(() => scrypt({ ...SCRYPT, password, salt, parallelism: dummy.parallelism }))
    case 'PBKDF2': {
      const { iterations, hash } = dummy
      const [create, hashLength] = hash === 'sha512' ? [createSHA512, 64] : [createSHA256, 32]
      return runOneHashAtATime(() =>
        pbkdf2({ password, salt, iterations, hashLength, hashFunction: create(), outputType: 'binary' }),
      )
    }
  }
}

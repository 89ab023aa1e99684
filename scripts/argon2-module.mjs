import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const SHA256 = '38f461d188b5dc980881ed92f9ecc12473e9206a588625e3ef0c4c5125dc85b1' // version 0.5.28

/**
 * Returns the Argon2 module that ships (ADR-0047). The build fails unless `@phi-ag/argon2` contains exactly the module
 * that was reviewed, measured and tested. To use another version, run `tests/scripts/argon2.test.ts` with
 * FUZZ_RUNS=10000, then change the hash.
 */
export function loadArgon2Module() {
  const bytes = readFileSync(createRequire(import.meta.url).resolve('@phi-ag/argon2/argon2.wasm'))
  const digest = createHash('sha256').update(bytes).digest('hex')
  if (digest !== SHA256) throw new Error(`@phi-ag/argon2 contains a module that we haven't tested: ${digest}`)
  return bytes
}

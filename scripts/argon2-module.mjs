import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const SHA256 = '38f461d188b5dc980881ed92f9ecc12473e9206a588625e3ef0c4c5125dc85b1' // of 0.5.28

/**
 * The Argon2 module that ships (decision 0047): the one of `@phi-ag/argon2`, byte for byte the one we have read, measured
 * and tested, or the build stops. For another, run `tests/scripts/argon2.test.ts` with SWEEP=all, then change the sum.
 */
export function argon2Module() {
  const bytes = readFileSync(createRequire(import.meta.url).resolve('@phi-ag/argon2/argon2.wasm'))
  const found = createHash('sha256').update(bytes).digest('hex')
  if (found !== SHA256) throw new Error(`@phi-ag/argon2 brings another module than the tested one: ${found}`)
  return bytes
}

import { vi } from 'vitest'

/** Argon2 fills this much, so that who guesses has to; nothing else of the house does. */
const ARGON2_BYTES = 19 * 1024 * 1024

/** What is run, and how many passwords were hashed meanwhile: each hash wipes the password from the memory it worked in. */
export async function countingHashes<T>(run: () => Promise<T>): Promise<{ hashes: number; value: T }> {
  const { fill } = Uint8Array.prototype
  let hashes = 0
  const spy = vi.spyOn(Uint8Array.prototype, 'fill').mockImplementation(function (
    this: Uint8Array,
    ...given
  ) {
    if (this.buffer.byteLength >= ARGON2_BYTES) hashes++
    return fill.apply(this, given)
  })
  try {
    return { value: await run(), hashes }
  } finally {
    spy.mockRestore()
  }
}

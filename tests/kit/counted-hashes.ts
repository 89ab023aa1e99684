import { vi } from 'vitest'

/** The memory of one Argon2 hash; no other code fills as much. */
const ARGON2_BYTES = 19 * 1024 * 1024

/** Runs it and counts the password hashes meanwhile: each one clears the memory it worked in. */
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

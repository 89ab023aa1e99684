import { hashesSoFar } from './repeated-hashes.ts'

/** Runs it and counts the password hashes by Argon2 meanwhile. */
export async function countingHashes<T>(run: () => Promise<T>): Promise<{ hashes: number; value: T }> {
  const before = hashesSoFar()
  const value = await run()
  return { value, hashes: hashesSoFar() - before }
}

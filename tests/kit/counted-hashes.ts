import { hashesSoFar } from './repeated-hashes.ts'

/** Runs a function and counts the Argon2 hashes that are computed while it runs. */
export async function countingHashes<T>(run: () => Promise<T>): Promise<{ hashes: number; value: T }> {
  const before = hashesSoFar()
  const value = await run()
  return { value, hashes: hashesSoFar() - before }
}

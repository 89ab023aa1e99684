/**
 * How much of a sweep runs: `npm test` takes a choice, `npm run test:exhaustive` (`SWEEP=all`) takes everything. What is
 * drawn at random follows the seed, so that `SEED=<number>` repeats a run (docs/testing.md).
 */
export type Sweep = { isExhaustive: boolean; seed: number }

const SEED = 20_261_121

/** Of this process. Tests in the Workers runtime read the binding `TEST_SWEEP`. */
export const sweepOfProcess = (): Sweep => ({
  isExhaustive: process.env.SWEEP === 'all',
  seed: Number(process.env.SEED ?? SEED),
})

/** Every pair of an exhaustive run; else each item of both lists at least once, its partners taken in turn. */
export function pairsOf<A, B>(
  { isExhaustive }: Sweep,
  first: readonly A[],
  second: readonly B[],
): (readonly [A, B])[] {
  if (isExhaustive) return first.flatMap((a) => second.map((b) => [a, b] as const))
  if (first.length === 0 || second.length === 0) return []
  const rounds = Math.max(first.length, second.length)
  return Array.from({ length: rounds }, (_, i) => [
    first[i % first.length] as A,
    second[i % second.length] as B,
  ])
}

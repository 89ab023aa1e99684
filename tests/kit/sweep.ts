/**
 * The extent of a sweep: `npm test` runs a selection of cases, and `npm run test:exhaustive` (`SWEEP=all`) runs all of
 * them. Random choices depend on the seed, so `SEED=<number>` repeats a run (docs/development/testing.md).
 */
export type Sweep = { isExhaustive: boolean; seed: number }

const SEED = 20_261_121

/**
 * Returns the extent of the sweep in this process. Tests in the Workers runtime read it from the binding `TEST_SWEEP`.
 */
export const sweepOfProcess = (): Sweep => ({
  isExhaustive: process.env.SWEEP === 'all',
  seed: Number(process.env.SEED ?? SEED),
})

/** Returns every pair in an exhaustive run. Otherwise pairs up the lists so that each item occurs at least once. */
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

/** Returns at most `most` evenly spaced items, including the first and the last. */
export function spread<T>(all: readonly T[], most: number): T[] {
  const count = Math.min(all.length, most)
  const step = (all.length - 1) / Math.max(1, count - 1)
  return Array.from({ length: count }, (_, i) => all[Math.round(i * step)] as T)
}

/**
 * Returns all cases in an exhaustive run. Otherwise returns a few cases that still cover every pair of values that
 * occurs in any case. `valuesOf` returns the values of a case, always in the same order.
 */
export function pairwiseCases<Case>(
  { isExhaustive }: Sweep,
  cases: readonly Case[],
  valuesOf: (each: Case) => readonly unknown[],
): Case[] {
  if (isExhaustive) return [...cases]
  const pairs = cases.map((each) => new Set(pairsIn(valuesOf(each))))
  const missing = new Set(pairs.flatMap((own) => [...own]))
  const chosen: Case[] = []
  while (missing.size > 0) {
    const gains = pairs.map((own) => [...own].filter((pair) => missing.has(pair)).length)
    const best = gains.indexOf(Math.max(...gains))
    chosen.push(cases[best] as Case)
    for (const pair of pairs[best] ?? []) missing.delete(pair)
  }
  return chosen
}

const pairsIn = (values: readonly unknown[]): string[] =>
  values.flatMap((a, i) => values.slice(i + 1).map((b, j) => `${i}=${String(a)} ${i + 1 + j}=${String(b)}`))

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

/** Returns all items in an exhaustive run, and otherwise at most `most` evenly spaced ones. */
export const someOf = <T>({ isExhaustive }: Sweep, all: readonly T[], most: number): readonly T[] =>
  isExhaustive ? all : spread(all, most)

/**
 * Returns all cases in an exhaustive run. Otherwise returns a few cases that still cover every pair of values that
 * occurs in any case. `valuesOf` returns the values of a case, always in the same order.
 */
export const pairwiseCases = <Case>(
  sweep: Sweep,
  cases: readonly Case[],
  valuesOf: (each: Case) => readonly unknown[],
): Case[] => coveringCases(sweep, cases, (each) => pairsIn(valuesOf(each)))

/** Returns the same as `pairwiseCases`, but the few cases cover every single value instead of every pair of values. */
export const singleCases = <Case>(
  sweep: Sweep,
  cases: readonly Case[],
  valuesOf: (each: Case) => readonly unknown[],
): Case[] => coveringCases(sweep, cases, (each) => valuesOf(each).map((value, i) => `${i}=${String(value)}`))

function coveringCases<Case>(
  { isExhaustive }: Sweep,
  cases: readonly Case[],
  factsOf: (each: Case) => readonly string[],
): Case[] {
  if (isExhaustive) return [...cases]
  const facts = cases.map((each) => new Set(factsOf(each)))
  const missing = new Set(facts.flatMap((own) => [...own]))
  const chosen: Case[] = []
  while (missing.size > 0) {
    const gains = facts.map((own) => [...own].filter((fact) => missing.has(fact)).length)
    const best = gains.indexOf(Math.max(...gains))
    chosen.push(cases[best] as Case)
    for (const fact of facts[best] ?? []) missing.delete(fact)
  }
  return chosen
}

const pairsIn = (values: readonly unknown[]): string[] =>
  values.flatMap((a, i) => values.slice(i + 1).map((b, j) => `${i}=${String(a)} ${i + 1 + j}=${String(b)}`))

/** One figure of the table; it may have no goal. */
export type BenchRow = { what: string; measured: string; goal: string | null; isMet: boolean | null }

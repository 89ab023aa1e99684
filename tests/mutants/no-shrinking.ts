import fc from 'fast-check'

/** A mutant is killed by the first counterexample: to look for the smallest one takes longer than its time limit. */
fc.configureGlobal({ endOnFailure: true })

import fc from 'fast-check'

/**
 * The first counterexample is enough to kill a mutant, and looking for the smallest one takes longer than the
 * time limit.
 */
fc.configureGlobal({ endOnFailure: true })

import type { Step } from '../../src/contract/interaction.ts'

/** What we keep in `history.state`. */
export type Entry = {
  step?: Step | undefined
  /** The terms were agreed to on this page. */
  hasAgreed?: boolean | undefined
  /** When the code this page waits for was sent, in epoch milliseconds. */
  codeSentAt?: number | undefined
  /** How many pages of this visit lie before this one, in this document. */
  depth: number
}

export function currentEntry(): Entry {
  const entry = history.state as Partial<Entry> | null
  return {
    step: entry?.step,
    hasAgreed: entry?.hasAgreed,
    codeSentAt: entry?.codeSentAt,
    depth: entry?.depth ?? 0,
  }
}

/** For whoever comes back to this page. */
export function rememberAgreement(hasAgreed: boolean): void {
  history.replaceState({ ...currentEntry(), hasAgreed }, '')
}

/** So that a reload does not make the visitor wait anew. */
export function rememberCodeSent(): void {
  history.replaceState({ ...currentEntry(), codeSentAt: Date.now() }, '')
}

/** Goes back that many pages of ours; false when the visitor came from elsewhere before that. */
export function wentBack(pages: number): boolean {
  if (currentEntry().depth < pages) return false
  history.go(-pages)
  return true
}

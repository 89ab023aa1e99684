import type { Draft } from '../../api/drafts.ts'

type Fields = Readonly<Record<string, unknown>>

/** The targets with one more, as the last one, or without it. */
export function withTarget(targets: readonly string[], target: string, isOffered: boolean): string[] {
  const others = targets.filter((one) => one !== target)
  return isOffered ? [...others, target] : others
}

/** Changes of the sign-in experience that wait, after the button of a target was put on the page or taken away beside their form. */
export function draftWithTarget(draft: Draft, target: string, isOffered: boolean): Draft {
  const after = (fields: Fields = {}): Fields => {
    const { socialSignInConnectorTargets: targets } = fields
    return Array.isArray(targets)
      ? { ...fields, socialSignInConnectorTargets: withTarget(targets, target, isOffered) }
      : fields
  }
  return { ...draft, changes: after(draft.changes), base: after(draft.base) }
}

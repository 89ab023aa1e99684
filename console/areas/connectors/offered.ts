import type { Draft } from '../../api/drafts.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * A change that adds or removes the button for a target. `before` is the original order, used when a removal is
 * undone.
 */
export type TargetChange = { target: string; isOffered: boolean; before?: readonly string[] }

/**
 * Returns the targets with this target added or removed. An added target is inserted before the one that followed it
 * in the original order, or else at the end.
 */
export function updateTargets(
  targets: readonly string[],
  { target, isOffered, before = [] }: TargetChange,
): string[] {
  const others = targets.filter((one) => one !== target)
  if (!isOffered) return others
  const behind = before.includes(target) ? before.slice(before.indexOf(target) + 1) : []
  const next = behind.find((one) => others.includes(one))
  const at = next === undefined ? others.length : others.indexOf(next)
  return [...others.slice(0, at), target, ...others.slice(at)]
}

/** Updates a draft that has reordered the social buttons, after a button was added or removed outside the form. */
export function updateDraftTargets(draft: Draft, change: TargetChange): Draft {
  const after = (fields: Fields = {}): Fields => {
    const { socialSignInConnectorTargets: targets } = fields
    return Array.isArray(targets)
      ? { ...fields, socialSignInConnectorTargets: updateTargets(targets, change) }
      : fields
  }
  return { ...draft, changes: after(draft.changes), base: after(draft.base) }
}

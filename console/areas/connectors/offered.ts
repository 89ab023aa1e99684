import type { Draft } from '../../api/drafts.ts'

type Fields = Readonly<Record<string, unknown>>

/** Whether the target is among them; `before` is the order in which it was, where that is taken back. */
export type Offering = { target: string; isOffered: boolean; before?: readonly string[] }

/** The targets without it, or with it: before the one that it was before, else as the last one. */
export function updateTargets(
  targets: readonly string[],
  { target, isOffered, before = [] }: Offering,
): string[] {
  const others = targets.filter((one) => one !== target)
  if (!isOffered) return others
  const behind = before.includes(target) ? before.slice(before.indexOf(target) + 1) : []
  const next = behind.find((one) => others.includes(one))
  const at = next === undefined ? others.length : others.indexOf(next)
  return [...others.slice(0, at), target, ...others.slice(at)]
}

/** Changes of the sign-in experience that wait, after the button of a target was put on the page or taken away beside their form. */
export function updateDraftTargets(draft: Draft, offering: Offering): Draft {
  const after = (fields: Fields = {}): Fields => {
    const { socialSignInConnectorTargets: targets } = fields
    return Array.isArray(targets)
      ? { ...fields, socialSignInConnectorTargets: updateTargets(targets, offering) }
      : fields
  }
  return { ...draft, changes: after(draft.changes), base: after(draft.base) }
}

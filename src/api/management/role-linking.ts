import { type ErrorCode, type Refusal, refuse } from '../../contract/errors.ts'
import { refuseWith } from '../../contract/refused.ts'
import { isUniqueViolation } from '../../storage/database.ts'
import { LINK_TAKEN, type LinkKind, type RoleLink } from '../../storage/role-links.ts'

/** What is known of links somebody wants to add. */
export type LinkFacts = {
  /** Members that exist. */
  members: readonly { id: string }[]
  /** Links that are there already. */
  links: readonly RoleLink[]
}

const codes = {
  user: 'role.user_exists',
  scope: 'role.scope_exists',
} as const satisfies Partial<Record<LinkKind, ErrorCode>>

/** Why these links cannot be added: one is there already, or has nobody at its end (contract 8.2). */
export function linkProblem(
  kind: keyof typeof codes,
  asked: readonly RoleLink[],
  { members, links }: LinkFacts,
): Refusal | null {
  const [existing] = links
  if (existing) return refuse(codes[kind], { [`${kind}Id`]: existing.memberId, roleId: existing.roleId })
  const missing = asked.find(({ memberId }) => !members.some(({ id }) => id === memberId))
  if (!missing) return null
  return kind === 'user'
    ? refuse('entity.not_found', { id: missing.memberId })
    : refuse('entity.not_exists_with_id', { id: missing.memberId })
}

/** Two who add the same link at once: the second hears what a check would have said (decision 14). */
export const asLinked =
  (kind: keyof typeof codes, code: ErrorCode = codes[kind]) =>
  (error: unknown): never => {
    if (isUniqueViolation(error) === LINK_TAKEN[kind]) refuseWith(code)
    throw error
  }

/** Each id once, as links of a role. */
export const linksOf = (roleId: string, memberIds: readonly string[]): RoleLink[] =>
  [...new Set(memberIds)].map((memberId) => ({ roleId, memberId }))

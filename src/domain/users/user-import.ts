/**
 * Decides which users of an import are created, which already exist, and which are rejected
 * (spec/management#user-import).
 */
import { type ErrorCode, type Refusal, refuse } from '../../contract/errors.ts'
import { isInternalRole } from '../access/administration.ts'
import { toAsciiLowerCase } from '../interactions/accounts.ts'

type Identifiers = {
  id: string
  username: string | null
  email: string | null
  phone: string | null
  /** The user's ids at social providers, keyed by the connector's target. */
  identities: Readonly<Record<string, string>>
}

/** A user to be imported. */
export type ImportCandidate = Identifiers & {
  roleNames: readonly string[]
  /** True if the user has a plain-text password that has to be hashed. */
  needsHash: boolean
  /** The credential ids of the user's passkeys. */
  passkeys: readonly string[]
}

/** The candidates' identifiers that are already taken, as loaded from storage. */
export type TakenIdentifiers = {
  /** The existing users with the same id as a candidate, with all their identifiers. */
  users: readonly Identifiers[]
  usernames: readonly string[]
  emails: readonly string[]
  phones: readonly string[]
  identities: readonly { target: string; identityId: string }[]
  passkeys: readonly string[]
  /** The ids of deleted users, which are never assigned again (spec/accounts#deletion). */
  erasedIds: readonly string[]
}

export type ImportVerdict = { kind: 'create' } | { kind: 'existing' } | Refusal

/**
 * The maximum number of passwords to hash per import request. Each one takes 60 to 150 ms of CPU time (wrangler.toml).
 */
const MAX_HASHES = 20

type ImportRules = {
  knownRoles: ReadonlySet<string>
  /**
   * If true, users may be imported as administrators. Otherwise, a file from another source could appoint
   * administrators unnoticed.
   */
  withAdministrators: boolean
}

/**
 * Decides what happens to each candidate, in order. If several have the same identifier, the first one gets it. A user
 * with a candidate's id counts as existing only if all identifiers match. Otherwise, a candidate could be reported as
 * imported although the id belongs to someone else (spec/accounts#import-identity, ADR-0052).
 */
export function checkImport(
  candidates: readonly ImportCandidate[],
  taken: TakenIdentifiers,
  { knownRoles, withAdministrators }: ImportRules,
): ImportVerdict[] {
  const byId = new Map(taken.users.map((user) => [user.id, namesOf(user)]))
  const names = new Set([
    ...taken.usernames.map(nameOf.username),
    ...taken.emails.map(nameOf.email),
    ...taken.phones.map(nameOf.phone),
    ...taken.identities.map(({ target, identityId }) => nameOf.identity(target, identityId)),
  ])
  const passkeys = new Set(taken.passkeys)
  let hashes = 0

  return candidates.map((candidate): ImportVerdict => {
    const ownNames = namesOf(candidate)
    const existing = byId.get(candidate.id)?.map(({ name }) => name)
    if (existing)
      return ownNames.every(({ name }) => existing.includes(name))
        ? { kind: 'existing' }
        : refuse('entity.id_in_use', { id: candidate.id })

    if (taken.erasedIds.includes(candidate.id)) return refuse('entity.id_in_use', { id: candidate.id })

    const conflict = ownNames.find(({ name }) => names.has(name))
    if (conflict) return refuse(conflict.code)
    if (candidate.passkeys.some((id) => passkeys.has(id))) return refuse('passkey.already_registered')

    const unknown = candidate.roleNames.filter((name) => !knownRoles.has(name))
    if (unknown.length > 0) return refuse('role.unknown_name', { names: unknown })

    if (!withAdministrators && candidate.roleNames.some(isInternalRole))
      return refuse('role.internal_role_violation')

    if (candidate.needsHash && ++hashes > MAX_HASHES)
      return refuse('password.too_many_to_hash', { max: MAX_HASHES })

    byId.set(candidate.id, ownNames)
    for (const { name } of ownNames) names.add(name)
    for (const id of candidate.passkeys) passkeys.add(id)
    return { kind: 'create' }
  })
}

/** Prefixes identifiers with their type, so that one set can contain all types. */
const nameOf = {
  username: (username: string) => `username ${toAsciiLowerCase(username)}`,
  email: (email: string) => `email ${toAsciiLowerCase(email)}`,
  phone: (phone: string) => `phone ${phone}`,
  identity: (target: string, id: string) => `identity ${JSON.stringify([target, id])}`,
}

function namesOf({ username, email, phone, identities }: Identifiers): { name: string; code: ErrorCode }[] {
  const entryFor = (value: string | null, name: (value: string) => string, code: ErrorCode) =>
    value === null ? [] : [{ name: name(value), code }]
  return [
    ...entryFor(username, nameOf.username, 'user.username_already_in_use'),
    ...entryFor(email, nameOf.email, 'user.email_already_in_use'),
    ...entryFor(phone, nameOf.phone, 'user.phone_already_in_use'),
    ...Object.entries(identities).map(([target, id]) => ({
      name: nameOf.identity(target, id),
      code: 'user.identity_already_in_use' as const,
    })),
  ]
}

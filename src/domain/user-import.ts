/** Which users of an import are made, which are there already, and which cannot be (decision 14). */
import { type ErrorCode, type Refusal, refuse } from '../contract/errors.ts'
import { withoutCase } from './accounts.ts'
import { isInternalRole } from './role-rules.ts'

/** By which a user is known from others. */
export type Named = {
  id: string
  username: string | null
  email: string | null
  phone: string | null
  /** The id at each target. */
  identities: Readonly<Record<string, string>>
}

/** What may clash with others, of a user who is to be imported. */
export type Candidate = Named & {
  roleNames: readonly string[]
  /** A plain password, which costs a hash. */
  needsHash: boolean
}

/** Which of the candidates' names belong to somebody, as storage answers them. */
export type Taken = {
  /** Who has one of the ids, with everything they are known by. */
  users: readonly Named[]
  usernames: readonly string[]
  emails: readonly string[]
  phones: readonly string[]
  identities: readonly { target: string; identityId: string }[]
}

export type Verdict = { kind: 'create' } | { kind: 'existing' } | Refusal

/** One takes 60 to 150 ms of the five seconds that a request has (wrangler.toml). */
const MOST_HASHES = 20

export type ImportRules = {
  knownRoles: ReadonlySet<string>
  /** Whether users may come as administrators: a file of another's making should not appoint any in silence. */
  withAdministrators: boolean
}

/**
 * In their order: whoever comes first has the name, also among the candidates themselves. An id that is there already is the same
 * user only if all they are known by is theirs: another person's line must not pass for imported.
 */
export function judgeImport(
  candidates: readonly Candidate[],
  taken: Taken,
  { knownRoles, withAdministrators }: ImportRules,
): Verdict[] {
  const byId = new Map(taken.users.map((user) => [user.id, namesOf(user)]))
  const names = new Set([
    ...taken.usernames.map(nameOf.username),
    ...taken.emails.map(nameOf.email),
    ...taken.phones.map(nameOf.phone),
    ...taken.identities.map(({ target, identityId }) => nameOf.identity(target, identityId)),
  ])
  let hashes = 0

  return candidates.map((candidate): Verdict => {
    const wanted = namesOf(candidate)
    const theirs = byId.get(candidate.id)?.map(({ name }) => name)
    if (theirs)
      return wanted.every(({ name }) => theirs.includes(name))
        ? { kind: 'existing' }
        : refuse('entity.id_in_use', { id: candidate.id })

    const clash = wanted.find(({ name }) => names.has(name))
    if (clash) return refuse(clash.code)

    const unknown = candidate.roleNames.filter((name) => !knownRoles.has(name))
    if (unknown.length > 0) return refuse('role.unknown_name', { names: unknown })

    if (!withAdministrators && candidate.roleNames.some(isInternalRole))
      return refuse('role.internal_role_violation')

    if (candidate.needsHash && ++hashes > MOST_HASHES)
      return refuse('password.too_many_to_hash', { max: MOST_HASHES })

    byId.set(candidate.id, wanted)
    for (const { name } of wanted) names.add(name)
    return { kind: 'create' }
  })
}

/** Of all kinds in one set. Different kinds never meet. */
const nameOf = {
  username: (username: string) => `username ${username}`,
  email: (email: string) => `email ${withoutCase(email)}`,
  phone: (phone: string) => `phone ${phone}`,
  identity: (target: string, id: string) => `identity ${JSON.stringify([target, id])}`,
}

function namesOf({ username, email, phone, identities }: Named): { name: string; code: ErrorCode }[] {
  const ifGiven = (value: string | null, name: (value: string) => string, code: ErrorCode) =>
    value === null ? [] : [{ name: name(value), code }]
  return [
    ...ifGiven(username, nameOf.username, 'user.username_already_in_use'),
    ...ifGiven(email, nameOf.email, 'user.email_already_in_use'),
    ...ifGiven(phone, nameOf.phone, 'user.phone_already_in_use'),
    ...Object.entries(identities).map(([target, id]) => ({
      name: nameOf.identity(target, id),
      code: 'user.identity_already_in_use' as const,
    })),
  ]
}

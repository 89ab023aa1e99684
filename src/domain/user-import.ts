/** Which users of an import are made, which are there already, and which cannot be (decision 14). */
import { type ErrorCode, type Refusal, refuse } from '../contract/errors.ts'
import { withoutCase } from './accounts.ts'

/** What may clash with others, of a user who is to be imported. */
export type Candidate = {
  id: string
  username: string | null
  email: string | null
  phone: string | null
  /** The id at each target. */
  identities: Readonly<Record<string, string>>
  roleNames: readonly string[]
  /** A plain password, which costs a hash. */
  needsHash: boolean
}

/** Which of the candidates' names belong to somebody, as storage answers them. */
export type Taken = {
  ids: readonly string[]
  usernames: readonly string[]
  emails: readonly string[]
  phones: readonly string[]
  identities: readonly { target: string; identityId: string }[]
}

export type Verdict = { kind: 'create' } | { kind: 'existing' } | Refusal

/** One takes 60 to 150 ms of the five seconds that a request has (wrangler.toml). */
const MOST_HASHES = 20

/** In their order: whoever comes first has the name, also among the candidates themselves. */
export function judgeImport(
  candidates: readonly Candidate[],
  taken: Taken,
  knownRoles: ReadonlySet<string>,
): Verdict[] {
  const names = new Set([
    ...taken.ids.map(nameOf.id),
    ...taken.usernames.map(nameOf.username),
    ...taken.emails.map(nameOf.email),
    ...taken.phones.map(nameOf.phone),
    ...taken.identities.map(({ target, identityId }) => nameOf.identity(target, identityId)),
  ])
  let hashes = 0

  return candidates.map((candidate): Verdict => {
    if (names.has(nameOf.id(candidate.id))) return { kind: 'existing' }

    const wanted = namesOf(candidate)
    const clash = wanted.find(({ name }) => names.has(name))
    if (clash) return refuse(clash.code)

    const unknown = candidate.roleNames.filter((name) => !knownRoles.has(name))
    if (unknown.length > 0) return refuse('role.unknown_name', { names: unknown })

    if (candidate.needsHash && ++hashes > MOST_HASHES)
      return refuse('password.too_many_to_hash', { max: MOST_HASHES })

    names.add(nameOf.id(candidate.id))
    for (const { name } of wanted) names.add(name)
    return { kind: 'create' }
  })
}

/** Of all kinds in one set. Different kinds never meet. */
const nameOf = {
  id: (id: string) => `id ${id}`,
  username: (username: string) => `username ${username}`,
  email: (email: string) => `email ${withoutCase(email)}`,
  phone: (phone: string) => `phone ${phone}`,
  identity: (target: string, id: string) => `identity ${JSON.stringify([target, id])}`,
}

function namesOf({ username, email, phone, identities }: Candidate): { name: string; code: ErrorCode }[] {
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

/** The facts about a user that decisions depend on. */
export type Account = {
  id: string
  username: string | null
  email: string | null
  phone: string | null
  emailVerified: boolean
  phoneVerified: boolean
  name: string | null
  avatar: string | null
  hasPassword: boolean
  identities: Record<string, { userId: string; details?: unknown }>
  isSuspended: boolean
  /** The time of the last revocation, in epoch milliseconds. Older proofs have no effect (spec/accounts#revocation). */
  revokedAt: number | null
  applicationId: string | null
}

/** The criteria by which storage can look up an account. `target` is the connector's target, not its id. */
export type AccountLookup =
  | { by: 'id'; value: string }
  | { by: 'username'; value: string }
  | { by: 'email'; value: string }
  | { by: 'phone'; value: string }
  | { by: 'identity'; target: string; value: string }

/**
 * Checks whether an account matches a lookup. Usernames and email addresses are compared without regard to case, and
 * everything else exactly (spec/accounts#identifiers).
 */
export function matchesLookup(account: Account, lookup: AccountLookup): boolean {
  switch (lookup.by) {
    case 'id':
      return account.id === lookup.value
    case 'username':
      return (
        account.username !== null && toAsciiLowerCase(account.username) === toAsciiLowerCase(lookup.value)
      )
    case 'email':
      return account.email !== null && toAsciiLowerCase(account.email) === toAsciiLowerCase(lookup.value)
    case 'phone':
      return account.phone === lookup.value
    case 'identity':
      return account.identities[lookup.target]?.userId === lookup.value
  }
}

/**
 * Converts only A to Z to lower case, like SQLite's lower() in the unique index. With full Unicode case folding, the
 * owner of a mailbox with a Kelvin sign in its name could prove the address of a user whose name has a plain k.
 */
export function toAsciiLowerCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

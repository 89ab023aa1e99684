/** Accounts as far as deciding is concerned, and the questions that find them (contract 2.2, decision 14). */

/** What deciding needs to know of a user. */
export type Account = {
  id: string
  username: string | null
  email: string | null
  phone: string | null
  name: string | null
  avatar: string | null
  hasPassword: boolean
  identities: Record<string, { userId: string; details?: unknown }>
  isSuspended: boolean
  /** Epoch milliseconds; what was proven by then counts no more (decision 15). */
  revokedAt: number | null
  applicationId: string | null
}

/** A question to storage: which account does this concern? `target` is the connector's target, not its id. */
export type AccountLookup =
  | { by: 'id'; value: string }
  | { by: 'username'; value: string }
  | { by: 'email'; value: string }
  | { by: 'phone'; value: string }
  | { by: 'identity'; target: string; value: string }

/** Whether this account answers that question: e-mail addresses in any case, all else exactly (contract 2.2). */
export function matches(account: Account, lookup: AccountLookup): boolean {
  switch (lookup.by) {
    case 'id':
      return account.id === lookup.value
    case 'username':
      return account.username === lookup.value
    case 'email':
      return account.email !== null && withoutCase(account.email) === withoutCase(lookup.value)
    case 'phone':
      return account.phone === lookup.value
    case 'identity':
      return account.identities[lookup.target]?.userId === lookup.value
  }
}

/**
 * Only A to Z, like SQLite's lower() on which the unique index stands. Full Unicode folding would let the
 * owner of a mailbox spelled with a Kelvin sign prove the address of somebody whose name has a plain k.
 */
export function withoutCase(email: string): string {
  return email.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

/**
 * The accounts and applications that a browser remembers after a sign-in (spec/accounts#remembered-account). The list
 * proves nothing: it only shortens the way to the ordinary verification.
 */
import { isClientUrl } from '../../contract/applications/unregistered-clients.ts'
import type { Experience } from '../../contract/experience/experience.ts'
import type { IdentifierType } from '../../contract/interactions/identifiers.ts'
import type { Interaction } from '../../contract/interactions/interaction.ts'
import type { ReturningAccount, ReturningWay } from '../../contract/sessions/remembered-accounts.ts'
import { DAY } from '../../contract/time.ts'
import { maskRememberedIdentifier } from '../masking.ts'

/** The method with which a user last proved who they are. The value of a social sign-in is the id of the connector. */
type LastMethod = { kind: 'password' | 'code' | 'passkey' } | { kind: 'social'; connectorId: string }

export type RememberedAccount = {
  /** A random id, with which pages refer to this entry. */
  id: string
  userId: string
  /** The masked identifier. Null for an account that has none. */
  identifier: { type: IdentifierType; mask: string } | null
  method: LastMethod
  /** The time of the last sign-in, in epoch milliseconds. */
  at: number
}

export type RememberedBrowser = {
  /** The accounts, most recent sign-in first. */
  accounts: readonly RememberedAccount[]
  /** The ids of the applications to which somebody has signed in with this browser, latest first. */
  applications: readonly string[]
}

export const REMEMBERED_DAYS = 30
const MAX_REMEMBERED_ACCOUNTS = 5
const MAX_APPLICATIONS = 20
/** The maximum length of the list as JSON. Sealed and encoded, it fits into a cookie of 4,096 bytes. */
const MAX_LENGTH = 2_400

export const NOTHING_REMEMBERED: RememberedBrowser = { accounts: [], applications: [] }

/** Adds an account, or replaces its entry, whose id stays the same. */
export function rememberAccount(
  { accounts, applications }: RememberedBrowser,
  account: RememberedAccount,
): RememberedBrowser {
  const former = accounts.find(({ userId }) => userId === account.userId)
  const others = accounts.filter((each) => each !== former)
  return withinBounds({ accounts: [{ ...account, id: former?.id ?? account.id }, ...others], applications })
}

/** Adds an application. Clients that nobody has registered are never named, and their ids are URLs of any length. */
export const rememberApplication = (browser: RememberedBrowser, applicationId: string): RememberedBrowser =>
  isClientUrl(applicationId)
    ? browser
    : withinBounds({
        accounts: browser.accounts,
        applications: [applicationId, ...browser.applications.filter((id) => id !== applicationId)],
      })

/** Keeps the accounts that fulfil a condition. Returns the same object if these are all. */
export function keepAccounts(
  browser: RememberedBrowser,
  isKept: (account: RememberedAccount) => boolean,
): RememberedBrowser {
  const accounts = browser.accounts.filter(isKept)
  return accounts.length === browser.accounts.length ? browser : { ...browser, accounts }
}

/** Each account is forgotten 30 days after its last sign-in, even if others have signed in since. */
export const withoutExpired = (browser: RememberedBrowser, now: number): RememberedBrowser =>
  keepAccounts(browser, ({ at }) => at > now - REMEMBERED_DAYS * DAY)

function withinBounds({ accounts, applications }: RememberedBrowser): RememberedBrowser {
  const bounded = {
    accounts: accounts.slice(0, MAX_REMEMBERED_ACCOUNTS),
    applications: applications.slice(0, MAX_APPLICATIONS),
  }
  if (bounded.accounts.length < 2 || JSON.stringify(bounded).length <= MAX_LENGTH) return bounded
  return withinBounds({ ...bounded, accounts: bounded.accounts.slice(0, -1) })
}

/** The facts about a user on which an entry depends. */
export type RememberedUser = {
  id: string
  isSuspended: boolean
  revokedAt: number | null
} & Record<IdentifierType, string | null>

/**
 * Checks whether an account is still remembered. It no longer is if it was deleted or suspended, or if its user was
 * signed out everywhere since.
 */
export const isStillRemembered = ({ at }: RememberedAccount, user: RememberedUser | undefined): boolean =>
  user !== undefined && !user.isSuspended && (user.revokedAt ?? 0) < at

/** Returns the account's identifier, or null if the account no longer has the one whose mask was remembered. */
export function findRememberedIdentifier({ identifier }: RememberedAccount, user: RememberedUser) {
  const value = identifier && user[identifier.type]
  if (!identifier || !value) return null
  const { type, mask } = identifier
  return maskRememberedIdentifier({ type, value }) === mask ? { type, value } : null
}

/**
 * Returns the method of a completed sign-in, and the identifier under which to remember the account: the address that
 * received the code, or else the first identifier with which the tenant's users sign in.
 */
export function describeSignIn(
  { event, proofs, profile }: Pick<Interaction, 'event' | 'proofs' | 'profile'>,
  user: Record<IdentifierType, string | null>,
  { signIn }: Pick<Experience, 'signIn'>,
): Pick<RememberedAccount, 'identifier' | 'method'> {
  const method = methodOf(proofs, event === 'Register' && profile?.password !== undefined)
  const address = proofs.find(({ kind }) => kind === 'email' || kind === 'phone')
  const usable = signIn.methods.filter((each) => method.kind !== 'password' || each.password)
  const types = usable.map(({ identifier }) => identifier)
  const preferred = method.kind === 'code' && address ? [address.kind as IdentifierType, ...types] : types
  const type = [...preferred, 'email' as const, 'phone' as const, 'username' as const].find(
    (each) => user[each],
  )
  const value = type && user[type]
  return {
    method,
    identifier: type && value ? { type, mask: maskRememberedIdentifier({ type, value }) } : null,
  }
}

function methodOf(proofs: Interaction['proofs'], hasNewPassword: boolean): LastMethod {
  for (const proof of proofs) {
    if (proof.kind === 'social') return { kind: 'social', connectorId: proof.connectorId }
    if (proof.kind === 'passkey' && proof.isUserVerified) return { kind: 'passkey' }
    if (proof.kind === 'account') return { kind: 'password' }
  }
  return { kind: hasNewPassword ? 'password' : 'code' }
}

/**
 * Returns the accounts that can continue, each by the method that it used last or, if the tenant no longer offers it,
 * by another one of its identifier.
 */
export const listReturningAccounts = (
  { accounts }: RememberedBrowser,
  experience: Pick<Experience, 'signIn' | 'signInMode' | 'passkeys' | 'socialConnectors'>,
): ReturningAccount[] =>
  experience.signInMode === 'Register'
    ? []
    : accounts.flatMap(({ id, identifier, method }) => {
        const way = wayOf(method, identifier?.type, experience)
        return way
          ? {
              id,
              type: identifier?.type ?? null,
              mask: identifier?.mask ?? '',
              way,
              ...(way === 'social' && method.kind === 'social' && { connectorId: method.connectorId }),
            }
          : []
      })

function wayOf(
  method: LastMethod,
  type: IdentifierType | undefined,
  { signIn, passkeys, socialConnectors }: Pick<Experience, 'signIn' | 'passkeys' | 'socialConnectors'>,
): ReturningWay | null {
  if (method.kind === 'passkey' && passkeys === true) return 'passkey'
  if (method.kind === 'social' && socialConnectors.some(({ id }) => id === method.connectorId))
    return 'social'
  const offered = signIn.methods.find(({ identifier }) => identifier === type)
  const takesCode = offered?.verificationCode === true && type !== 'username'
  if (method.kind === 'code' && takesCode) return 'code'
  if (offered?.password) return 'password'
  return takesCode ? 'code' : null
}

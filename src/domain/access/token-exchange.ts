import { isSameResource } from '../../contract/access/resource-names.ts'
import type { ApplicationType, CustomClientMetadata } from '../../contract/applications/applications.ts'
import type { MetadataProblem } from '../applications/application-rules.ts'

/** The rules for exchanging one token for another (spec/provider#token-exchange, RFC 8693). */

export type ExchangePolicy = Pick<
  CustomClientMetadata,
  'tokenExchangeClients' | 'tokenExchangeResources' | 'tokenExchangeScopes'
>

/** The current actor, and the prior actors nested in it (RFC 8693 §4.1). */
export type Actor = { sub: string; act?: Actor }

/** The maximum lifetime of an exchanged token, in seconds. */
export const MAX_EXCHANGED_TOKEN_SECONDS = 3600
/**
 * The maximum number of services in an actor chain. We chose a low number, because a longer chain would tell operators
 * nothing useful.
 */
const MAX_ACTORS = 5

export const allowsTokenExchange = (policy: ExchangePolicy): boolean =>
  (policy.tokenExchangeClients?.length ?? 0) > 0 && (policy.tokenExchangeResources?.length ?? 0) > 0

export const allowsExchangeFromClient = (policy: ExchangePolicy, clientId: string): boolean =>
  policy.tokenExchangeClients?.includes(clientId) ?? false

export const allowsExchangeForResource = (policy: ExchangePolicy, indicator: string): boolean =>
  policy.tokenExchangeResources?.some((listed) => isSameResource(listed, indicator)) ?? false

/** Prepends the client to the prior actors. Returns null if the chain is malformed or would be too long. */
export function prependActor(clientId: string, previousActor: unknown): Actor | null {
  const chain = actorChain(previousActor)
  if (!chain || chain.length >= MAX_ACTORS) return null
  return [clientId, ...chain].reduceRight<Actor | undefined>(
    (act, sub) => (act ? { sub, act } : { sub }),
    undefined,
  ) as Actor
}

/** Returns the ids in an actor chain, newest first, or null if the chain is malformed or too long. */
export function actorChain(actor: unknown): string[] | null {
  const chain: string[] = []
  for (let current = actor; current !== undefined; current = Reflect.get(current, 'act')) {
    if (typeof current !== 'object' || current === null) return null
    const sub: unknown = Reflect.get(current, 'sub')
    if (typeof sub !== 'string' || chain.length > MAX_ACTORS) return null
    chain.push(sub)
  }
  return chain
}

type ExchangedScopes = {
  /** The requested scopes; undefined if the request has no `scope` parameter. */
  requested: readonly string[] | undefined
  /** The resource's scopes that the subject token contains. */
  subject: readonly string[]
  /** The scopes that the policy allows; undefined if it does not restrict them. */
  allowed: readonly string[] | undefined
  /** The resource's scopes that the user's roles grant. */
  own: readonly string[]
}

/**
 * Returns the scopes of the new token: at most those of the subject token, restricted by the policy. As with any token,
 * scopes that the user does not have are left out (spec/provider#resources). `tooWide` is the first requested scope
 * that exceeds the limit, if any.
 */
export function computeExchangedScopes({ requested, subject, allowed, own }: ExchangedScopes) {
  const ceiling = subject.filter((name) => allowed?.includes(name) ?? true)
  const tooWide = requested?.find((name) => !ceiling.includes(name))
  return {
    tooWide,
    scopes: (requested ?? ceiling).filter((name) => ceiling.includes(name) && own.includes(name)),
  }
}

/**
 * Returns the problems with an application's settings for token exchange. Public and third-party applications must not
 * exchange tokens.
 */
export function findExchangeProblems(
  type: ApplicationType,
  { isThirdParty, ...policy }: ExchangePolicy & Pick<CustomClientMetadata, 'isThirdParty'>,
): MetadataProblem[] {
  const isPublic = type === 'Native' || type === 'SPA'
  if (!isPublic && !isThirdParty) return []
  const message = isPublic
    ? 'is only for confidential applications'
    : 'must be empty for third-party applications'
  return (['tokenExchangeClients', 'tokenExchangeResources', 'tokenExchangeScopes'] as const)
    .filter((key) => (policy[key]?.length ?? 0) > 0)
    .map((key) => ({ path: ['customClientMetadata', key], message }))
}

import { isSameResource } from '../../contract/access/resource-names.ts'
import type { ApplicationType, CustomClientMetadata } from '../../contract/applications/applications.ts'
import type { AddressProblem } from '../applications/application-rules.ts'

/** The rules for exchanging one token for another (spec/provider#token-exchange, RFC 8693). */

export type ExchangePolicy = Pick<
  CustomClientMetadata,
  'tokenExchangeClients' | 'tokenExchangeResources' | 'tokenExchangeScopes'
>

/** The current actor, and the prior actors nested in it (RFC 8693 §4.1). */
export type Actor = { sub: string; act?: Actor }

/** The longest lifetime of an exchanged token, in seconds. */
export const MAX_EXCHANGED_TOKEN_SECONDS = 3600
/** The longest chain of services that still says something about a request. Our choice. */
const MAX_ACTORS = 5

export const mayExchange = (policy: ExchangePolicy): boolean =>
  (policy.tokenExchangeClients?.length ?? 0) > 0 && (policy.tokenExchangeResources?.length ?? 0) > 0

export const mayExchangeFrom = (policy: ExchangePolicy, clientId: string): boolean =>
  policy.tokenExchangeClients?.includes(clientId) ?? false

export const mayExchangeFor = (policy: ExchangePolicy, indicator: string): boolean =>
  policy.tokenExchangeResources?.some((listed) => isSameResource(listed, indicator)) ?? false

/** Puts the client in front of the prior actors. Returns null if the chain would be too long or is malformed. */
export function prependActor(clientId: string, before: unknown): Actor | null {
  const chain = actorChain(before)
  if (!chain || chain.length >= MAX_ACTORS) return null
  return [clientId, ...chain].reduceRight<Actor | undefined>(
    (act, sub) => (act ? { sub, act } : { sub }),
    undefined,
  ) as Actor
}

/** Returns the ids of an actor chain, newest first, or null if it is malformed or too long. */
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
  /** The requested scopes; undefined without the parameter. */
  requested: readonly string[] | undefined
  /** The scopes at the resource that the exchanged token carries. */
  subject: readonly string[]
  /** The scopes that the policy allows; undefined if it names none. */
  allowed: readonly string[] | undefined
  /** The user's scopes at the resource, from roles. */
  own: readonly string[]
}

/**
 * Returns the scopes of the new token, which never exceed those of the old one. Scopes that the user lacks are left
 * out, as everywhere (spec/provider#resources).
 */
export function exchangedScopes({ requested, subject, allowed, own }: ExchangedScopes) {
  const ceiling = subject.filter((name) => allowed?.includes(name) ?? true)
  const tooWide = requested?.find((name) => !ceiling.includes(name))
  return {
    tooWide,
    scopes: (requested ?? ceiling).filter((name) => ceiling.includes(name) && own.includes(name)),
  }
}

/** Public and third-party applications may not act for anybody. */
export function exchangeProblems(
  type: ApplicationType,
  { isThirdParty, ...policy }: ExchangePolicy & Pick<CustomClientMetadata, 'isThirdParty'>,
): AddressProblem[] {
  const isPublic = type === 'Native' || type === 'SPA'
  if (!isPublic && !isThirdParty) return []
  const message = isPublic
    ? 'is only for confidential applications'
    : 'must be empty for third-party applications'
  return (['tokenExchangeClients', 'tokenExchangeResources', 'tokenExchangeScopes'] as const)
    .filter((key) => (policy[key]?.length ?? 0) > 0)
    .map((key) => ({ path: ['customClientMetadata', key], message }))
}

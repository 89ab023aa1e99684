import { isSameResource } from '../../contract/access/resource-names.ts'
import type { ApplicationType, CustomClientMetadata } from '../../contract/applications/applications.ts'
import type { AddressProblem } from '../applications/application-rules.ts'

/** Who may get which token for which other token (spec/provider#token-exchange, RFC 8693). */

export type ExchangePolicy = Pick<
  CustomClientMetadata,
  'tokenExchangeClients' | 'tokenExchangeResources' | 'tokenExchangeScopes'
>

/** RFC 8693 §4.1: who acts, and for whom it acts in turn. */
export type Actor = { sub: string; act?: Actor }

/** Seconds. */
export const MAX_EXCHANGED_SECONDS = 3600
/** Ours: as many services as still tell something about a request. */
const MAX_ACTORS = 5

export const mayExchange = (policy: ExchangePolicy): boolean =>
  (policy.tokenExchangeClients?.length ?? 0) > 0 && (policy.tokenExchangeResources?.length ?? 0) > 0

export const mayExchangeFrom = (policy: ExchangePolicy, clientId: string): boolean =>
  policy.tokenExchangeClients?.includes(clientId) ?? false

export const mayExchangeFor = (policy: ExchangePolicy, indicator: string): boolean =>
  policy.tokenExchangeResources?.some((listed) => isSameResource(listed, indicator)) ?? false

/** The client in front of those before it; null where there are too many, or where they are none of ours. */
export function actorsWith(clientId: string, before: unknown): Actor | null {
  const chain = chainOf(before)
  if (!chain || chain.length >= MAX_ACTORS) return null
  return [clientId, ...chain].reduceRight<Actor | undefined>(
    (act, sub) => (act ? { sub, act } : { sub }),
    undefined,
  ) as Actor
}

/** The newest first. */
export function chainOf(actor: unknown): string[] | null {
  const chain: string[] = []
  for (let each = actor; each !== undefined; each = Reflect.get(each, 'act')) {
    if (typeof each !== 'object' || each === null) return null
    const sub: unknown = Reflect.get(each, 'sub')
    if (typeof sub !== 'string' || chain.length > MAX_ACTORS) return null
    chain.push(sub)
  }
  return chain
}

type ExchangedScopes = {
  /** Of the request; undefined without the parameter. */
  requested: readonly string[] | undefined
  /** Those that the token that is exchanged stands for at the resource. */
  subject: readonly string[]
  /** Of the policy; undefined where it names none. */
  allowed: readonly string[] | undefined
  /** Those that the user has for the resource through roles. */
  own: readonly string[]
}

/** Never more than the other token has. What its user lacks is left out, as everywhere (spec/provider#resources). */
export function exchangedScopes({ requested, subject, allowed, own }: ExchangedScopes) {
  const ceiling = subject.filter((name) => allowed?.includes(name) ?? true)
  const tooWide = requested?.find((name) => !ceiling.includes(name))
  return {
    tooWide,
    scopes: (requested ?? ceiling).filter((name) => ceiling.includes(name) && own.includes(name)),
  }
}

/** An application that cannot keep a secret, and one of another party, acts for nobody. */
export function exchangeProblems(
  type: ApplicationType,
  { isThirdParty, ...policy }: ExchangePolicy & Pick<CustomClientMetadata, 'isThirdParty'>,
): AddressProblem[] {
  const isPublic = type === 'Native' || type === 'SPA'
  if (!isPublic && !isThirdParty) return []
  const message = isPublic ? 'is for confidential applications' : 'must be empty for a third party'
  return (['tokenExchangeClients', 'tokenExchangeResources', 'tokenExchangeScopes'] as const)
    .filter((key) => (policy[key]?.length ?? 0) > 0)
    .map((key) => ({ path: ['customClientMetadata', key], message }))
}

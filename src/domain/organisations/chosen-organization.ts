import {
  ORGANIZATION_URN,
  type OrganizationMode,
  PERSONAL,
} from '../../contract/organisations/organizations.ts'

/** Decides for which organisation a user acts in an application (spec/organisations#flow). */

/** The three ways in which a request can name an organisation, as the application sent them. */
type OrganizationNames = {
  parameter: unknown
  scopes: Iterable<string>
  resources: Iterable<string>
}

/** Ids consist of these characters (spec/storage#ids). Operators can choose ids when they import organisations. */
const ID = /^[0-9A-Za-z_-]{1,21}$/

/**
 * Returns the id of the organisation that a request names, `personal`, undefined if it names none, or a problem if the
 * names are malformed or differ. Ids are compared exactly: a value with spaces or in another letter case is another id.
 */
export function requestedOrganization({ parameter, scopes, resources }: OrganizationNames): {
  requested?: string
  problem?: string
} {
  const urns = [...scopes, ...resources].filter(isOrganizationUrn)
  const ids = urns.map((urn) => urn.slice(ORGANIZATION_URN.length))
  const values = new Set<unknown>([...(parameter === undefined ? [] : [parameter]), ...ids])
  if (ids.includes(PERSONAL) || [...values].some((value) => !isOrganizationId(value)))
    return { problem: 'organization must be the id of an organization' }
  if (values.size > 1) return { problem: 'the request names more than one organization' }
  const [requested] = values
  return typeof requested === 'string' ? { requested } : {}
}

const isOrganizationId = (value: unknown) => typeof value === 'string' && ID.test(value)

/** Reports whether a scope or a resource names an organisation. */
export const isOrganizationUrn = (name: string): boolean => name.startsWith(ORGANIZATION_URN)

type OrganizationRequest = {
  mode: OrganizationMode
  /** The organisation that the request names, or `personal`. */
  requested: string | undefined
  /** True if the request contains `prompt=select_organization`. */
  prompts: boolean
}

/**
 * Returns the reason why no user could be authorized for this request, or null if there is none. It depends on nothing
 * but the application, so it reveals nothing about organisations.
 */
export function findOrganizationProblem({ mode, requested, prompts }: OrganizationRequest): string | null {
  const namesOrganization = requested !== undefined && requested !== PERSONAL
  if (mode === 'none' && (namesOrganization || prompts)) return 'the application does not use organizations'
  if (mode === 'required' && requested === PERSONAL) return 'the application requires an organization'
  if (requested !== undefined && prompts)
    return 'prompt select_organization must not be used with an organization'
  return null
}

export type OrganizationFacts = OrganizationRequest & {
  /** The ids of the organisations of which the user is a member now. It may lack those that the request excludes. */
  memberships: readonly string[]
  /** The organisation of the session's grant for the application, `personal`, or undefined if there is no grant. */
  current: string | undefined
  /** The user's choice on the page during this request: an organisation or `personal`. */
  choice: string | undefined
}

export type ChosenOrganization =
  | { kind: 'organization'; id: string }
  | { kind: 'personal' }
  | { kind: 'ask' }
  | { kind: 'refuse'; error: 'invalid_request' | 'access_denied'; description: string }

/**
 * Decides for which organisation the user acts. Nobody acts for an organisation without a membership: an unknown
 * organisation, one of another tenant and one that the user has left are the same refusal.
 */
export function chooseOrganization(facts: OrganizationFacts): ChosenOrganization {
  const { mode, requested, prompts, memberships, current, choice } = facts
  const problem = findOrganizationProblem(facts)
  if (problem !== null) return { kind: 'refuse', error: 'invalid_request', description: problem }
  if (mode === 'none' || requested === PERSONAL) return { kind: 'personal' }
  if (requested !== undefined) return memberships.includes(requested) ? actFor(requested) : notAMember

  const mayActAs = (value: string | undefined): value is string =>
    value === PERSONAL ? mode === 'optional' : value !== undefined && memberships.includes(value)
  if (mayActAs(choice)) return actFor(choice)
  if (mayActAs(current) && !prompts) return actFor(current)

  const [first, ...others] = memberships
  if (first === undefined) return mode === 'required' ? noOrganization : { kind: 'personal' }
  return mode === 'required' && others.length === 0 && !prompts ? actFor(first) : { kind: 'ask' }
}

const actFor = (value: string): ChosenOrganization =>
  value === PERSONAL ? { kind: 'personal' } : { kind: 'organization', id: value }

const notAMember: ChosenOrganization = {
  kind: 'refuse',
  error: 'access_denied',
  description: 'the user is not a member of the requested organization',
}

const noOrganization: ChosenOrganization = {
  kind: 'refuse',
  error: 'access_denied',
  description: 'the application requires an organization, and the user is a member of none',
}

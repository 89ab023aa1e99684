import type { AddedSecondFactorPolicy } from '../tenants/settings.ts'

/**
 * The types and constants of organisations that the database, the provider, the pages and the console share
 * (spec/organisations). An organisation is a group of users of one tenant.
 */

/** The value of the parameter `organization` with which a user acts for no organisation. No organisation has this id. */
export const PERSONAL = 'personal'

/** The prefix of the scope, the resource and the audience that name an organisation; its id follows. */
export const ORGANIZATION_URN = 'urn:vestibule:organization:'

/** The path of the page on which users choose an organisation (spec/organisations#page), and the name of its buttons. */
export const ORGANIZATION_PATH = '/organization'
export const ORGANIZATION_FIELD = 'organization'

/** The prompt with which an application asks for that page, and its name in the result of an interaction. */
export const SELECT_ORGANIZATION = 'select_organization'

/** The path of the page for members whose network the organisation does not allow (spec/organisations#networks). */
export const NETWORK_PATH = '/sign-in/network'

/** The name of the prompt that leads to this page. */
export const NETWORK_PROMPT = 'organization_network'

/** The error description that the application receives. */
export const NETWORK_REFUSAL = 'the organization does not allow the network of the user'

/**
 * The ways in which an application uses organisations: its users act for none, may act for one, or have to
 * (spec/organisations#application-setting).
 */
export const organizationModes = ['none', 'optional', 'required'] as const
export type OrganizationMode = (typeof organizationModes)[number]

/**
 * The sources of a membership and of its roles. Several can stand side by side; removing one removes only its own rows.
 * The last two are written by enterprise connections and directories, which do not exist yet.
 */
export const membershipSources = ['manual', 'invitation', 'domain', 'connection', 'directory'] as const
export type MembershipSource = (typeof membershipSources)[number]

/**
 * The sources that come from a decision about one member. Whoever changes the roles of a member replaces those from
 * both, because an invited member could otherwise never lose a role.
 */
export const givenSources: readonly MembershipSource[] = ['manual', 'invitation']

/**
 * The permissions of a role in the organisation's own administration. They do not appear in tokens, in contrast to the
 * scopes of a role.
 */
export const organizationPermissions = [
  'members:read',
  'members:manage',
  'domains:manage',
  'settings:manage',
  'log:read',
] as const
export type OrganizationPermission = (typeof organizationPermissions)[number]

/**
 * The role of owners. It exists in every tenant, has all permissions and can do what no permission allows: delete the
 * organisation and make other members owners. The last owner keeps it.
 */
export const OWNER_ROLE = {
  id: 'owner',
  name: 'owner',
  description: 'Owns the organisation and can do everything in it',
  permissions: [...organizationPermissions],
} as const satisfies { id: string; name: string; description: string; permissions: OrganizationPermission[] }

/** The effects of a verified domain on people with an address of it: none, a suggestion to join, or a membership. */
export const domainJoinModes = ['off', 'suggest', 'automatic'] as const
export type DomainJoinMode = (typeof domainJoinModes)[number]

/** The ways to sign in that an organisation can allow. An empty or missing list allows those of the tenant. */
export const organizationMethods = ['password', 'code', 'passkey', 'social'] as const
export type OrganizationMethod = (typeof organizationMethods)[number]

/** The rules for acting for an organisation, in addition to those of the tenant (spec/organisations#policy). */
export type OrganizationPolicy = {
  methods?: OrganizationMethod[] | undefined
  secondFactor?: AddedSecondFactorPolicy | undefined
  /** The time after which members have to sign in again, in seconds. */
  sessionMaxAgeSeconds?: number | undefined
  /** The networks from which members may act for the organisation, in CIDR notation. An empty list allows all. */
  networks?: string[] | undefined
}

/**
 * A stored policy as the Worker applies it. Null means that the organisation adds nothing to the rules of the tenant, and
 * an empty list that nothing is allowed.
 */
export type OrganizationRules = {
  methods: readonly OrganizationMethod[] | null
  secondFactor: AddedSecondFactorPolicy | null
  sessionMaxAgeSeconds: number | null
  networks: readonly string[] | null
}

/** The brand of an organisation on its pages. */
export type OrganizationBrand = {
  logo?: string | undefined
  logoDark?: string | undefined
  /** The primary colour, as `#rrggbb`. */
  color?: string | undefined
  /** If true, pages before the sign-in show the brand to anybody who names the organisation. */
  isPublic?: boolean | undefined
}

/** The number of roles that one membership or invitation may name. */
export const MAX_ORGANIZATION_ROLES = 20

/** The number of organisations that userinfo lists. If there are more, it adds `organizations_truncated`. */
export const MAX_LISTED_ORGANIZATIONS = 100

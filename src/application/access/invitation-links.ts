import { MINUTE } from '../../contract/time.ts'
import { randomId } from '../../storage/ids.ts'
import type { Dependencies } from '../dependencies.ts'

/** The pages of invitations: of those to the tenant, and of those to an organisation. */
export const invitationPaths = {
  tenant: '/account/invitation',
  organization: '/account/organization-invitation',
} as const
export type InvitationLinkKind = keyof typeof invitationPaths
/** Returns the kind of the links that lead to this page. */
export const invitationLinkOf = (path: string): InvitationLinkKind =>
  path === invitationPaths.organization ? 'organization' : 'tenant'

export const INVITATION_PARAM = 'token'

/**
 * The lifetime of an invitation that proves no address. We chose a time that is long enough to open a browser, but
 * short, because the link remains in the terminal's scrollback.
 */
export const DIRECT_INVITATION_LIFETIME = 10 * MINUTE

/** The number of characters in a token: 43 letters and digits give 255 bits of entropy. */
const TOKEN_LENGTH = 43

export const generateInvitationToken = (): string => randomId(TOKEN_LENGTH)

export const invitationUrl = (origin: string, token: string, kind: InvitationLinkKind = 'tenant'): string =>
  `${origin}${invitationPaths[kind]}?${new URLSearchParams({ [INVITATION_PARAM]: token })}`

/**
 * Returns the digests under which a token is stored. They are derived from the root secrets, so the link cannot be
 * recovered from the database. The first digest is derived from the current root secret.
 */
export const digestInvitationToken = (
  { seals }: Pick<Dependencies, 'seals'>,
  tenantId: string,
  token: string,
  kind: InvitationLinkKind = 'tenant',
): Promise<readonly [string, ...string[]]> => seals.digests(`${labels[kind]}/${tenantId}`, token)

/** The labels of the digests keep a link of one kind from being accepted as one of the other. */
const labels = {
  tenant: 'administrator-invitation',
  organization: 'organization-invitation',
} as const

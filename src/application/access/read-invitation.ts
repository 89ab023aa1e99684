import { z } from 'zod'
import type { InvitationKind, InvitedNames } from '../../contract/access/invitations.ts'
import type { ErrorCode } from '../../contract/errors.ts'
import { refuseWith, throwIfRefused } from '../../contract/refused.ts'
import { type AddressProof, addressProofOf, invitationProblem } from '../../domain/access/invitations.ts'
import { invitationOfLinkQuery } from '../../storage/access/invitations.ts'
import { readTogether } from '../../storage/batches.ts'
import { organizationInvitationOfLinkQuery } from '../../storage/organisations/invitation-acceptance.ts'
import { ownInvitationDigestQuery } from '../../storage/organisations/own-organizations.ts'
import { type AttemptDependencies, createTenantAttemptLimiter } from '../attempts.ts'
import type { Dependencies } from '../dependencies.ts'
import { digestInvitationToken, type InvitationLinkKind } from './invitation-links.ts'

type InvitationRequest = {
  tenantId: string
  token: string
  link: InvitationLinkKind
  ip: string | undefined
  background(task: () => Promise<unknown>): void
}

/** An invitation that can still be accepted. */
export type OpenInvitation = {
  id: string
  kind: InvitationKind | 'organization'
  /** The organisation to which an invitation of the kind `organization` leads. */
  organization: { id: string; name: string } | null
  email: string | null
  names: InvitedNames
  language: string | null
  roleIds: readonly string[]
  roleNames: readonly string[]
  expiresAt: number
  /** The name of the user who sent the invitation, or null if an application did. */
  inviter: string | null
  /** The digests of the link with which the invitation was read. */
  digests: readonly string[]
  proof: AddressProof
  /** The account that has the address. Only somebody who has proven the address learns whether there is one. */
  accountId: string | null
}

const RoleNames = z.array(z.string())

/**
 * Rejects a link. The error names the command that creates a new one only to developers: the person who was invited
 * cannot run it.
 */
const refuseLink = (settings: Dependencies['settings'], code: ErrorCode): never =>
  refuseWith(
    code,
    settings.environment === 'development' ? { error_description: 'npm run admin -- invite' } : undefined,
  )

/**
 * Reads the invitation of a link without using it up. Returns the same error whether the token is unknown or from
 * another tenant; the other errors say why the invitation of a real link cannot be accepted. As with device codes,
 * every token is counted before it is looked up, and the attempt is refunded if the link is real
 * (spec/limits#rate-limits).
 */
export async function readInvitation(
  dependencies: AttemptDependencies & Pick<Dependencies, 'seals'>,
  { tenantId, token, link, ip, background }: InvitationRequest,
): Promise<OpenInvitation> {
  const { db, settings } = dependencies
  if (token === '') return refuseLink(settings, 'user.invitation_invalid')
  const attempts = await createTenantAttemptLimiter(dependencies, tenantId)
  const { now } = attempts.circumstances
  const digests = await digestInvitationToken(dependencies, tenantId, token, link)
  const { consumed, tenant, organization } = await readTogether(db, {
    consumed: attempts.count([{ limit: 'invitationTriesPerNetwork', ip }]),
    tenant: link === 'tenant' ? invitationOfLinkQuery(db, tenantId, digests, now) : undefined,
    organization:
      link === 'organization' ? organizationInvitationOfLinkQuery(db, tenantId, digests, now) : undefined,
  })
  throwIfRefused(attempts.refusal(consumed))
  const row = tenant.map(ofTenant)[0] ?? organization.map(ofOrganization)[0]
  if (!row) return refuseLink(settings, 'user.invitation_invalid')
  background(() => attempts.refund(consumed))
  return requireOpen(settings, row, digests)
}

/**
 * Reads an invitation to an organisation for a signed-in user, whose verified address it must have. The invitation of
 * another address and one that does not exist result in the same error.
 */
export async function readOwnInvitation(
  { db, now, settings }: Pick<Dependencies, 'db' | 'now' | 'settings'>,
  { tenantId, userId, id }: { tenantId: string; userId: string; id: string },
): Promise<OpenInvitation> {
  const [own] = await ownInvitationDigestQuery(db, { tenantId, userId }, id)
  const digests = own ? [own.digest] : []
  const [row] = await organizationInvitationOfLinkQuery(db, tenantId, digests, now())
  if (!row) return refuseWith('user.invitation_invalid')
  return requireOpen(settings, ofOrganization(row), digests)
}

/** Throws if the invitation can no longer be accepted. */
function requireOpen(
  settings: Dependencies['settings'],
  { state, isVouchedFor, roleNames, ...invitation }: ReturnType<typeof ofTenant | typeof ofOrganization>,
  digests: readonly string[],
): OpenInvitation {
  const problem = invitationProblem({ state, isVouchedFor: isVouchedFor === 1 })
  if (problem) return refuseLink(settings, problem)
  return { ...invitation, digests, roleNames: RoleNames.parse(JSON.parse(roleNames)) }
}

type TenantRow = Awaited<ReturnType<typeof invitationOfLinkQuery>>[number]
type OrganizationRow = Awaited<ReturnType<typeof organizationInvitationOfLinkQuery>>[number]

const ofTenant = ({ delivery, wasSentLink, ...row }: TenantRow) => {
  const proof = addressProofOf({ delivery, wasSentLink: wasSentLink === 1 })
  return { ...row, organization: null, proof: row.email === null ? ('impossible' as const) : proof }
}

/** The links of invitations to organisations are only sent to their addresses, and therefore prove them. */
const ofOrganization = ({ organizationId, organizationName, ...row }: OrganizationRow) => ({
  ...row,
  kind: 'organization' as const,
  organization: { id: organizationId, name: organizationName },
  names: {},
  proof: 'proven' as const,
})

import { ADMIN_ROLE, TENANT_APPLICATION } from '../../contract/product.ts'
import { refuseWith } from '../../contract/refused.ts'
import { SECOND } from '../../contract/time.ts'
import { insertInvitation } from '../../storage/access/invitations.ts'
import { sealSecret } from '../../storage/applications/application-secrets.ts'
import { grantAdminRole, insertApplication } from '../../storage/applications/applications.ts'
import { commitChange } from '../../storage/commit.ts'
import { isUniqueViolation } from '../../storage/database.ts'
import { randomId } from '../../storage/ids.ts'
import {
  OWNER_PLACE_CONSTRAINT,
  TENANT_ID_CONSTRAINT,
  tenantCreationStatements,
} from '../../storage/tenants/tenant-list.ts'
import {
  DIRECT_INVITATION_LIFETIME,
  digestInvitationToken,
  generateInvitationToken,
  invitationUrl,
} from '../access/invitation-links.ts'
import type { AuditEntry } from '../audit.ts'
import type { Dependencies } from '../dependencies.ts'

/**
 * The length of a generated tenant id. We chose a length at which ids neither collide nor can be guessed, but still fit
 * into a host name.
 */
const ID_LENGTH = 12

type TenantCreation = {
  /** The id of the new tenant, or undefined to generate one. */
  id: string | undefined
  owner: Parameters<typeof tenantCreationStatements>[2]['owner']
  mayOwnMany: boolean
  beginAudit(tenantId: string): AuditEntry
  /** Returns the origin at which a tenant is served, or null if no host points to it. */
  originOf(tenantId: string): string | null
  /** The id of the tenant whose audit log records the creation. */
  tenantId: string
}

/**
 * Creates a tenant with its initial data and an application that administers it. If a host points to the tenant, also
 * creates an invitation link for its first administrator (spec/management#tenants-api).
 */
export async function createTenant(
  { db, seals, now, settings, tenants }: Pick<Dependencies, 'db' | 'seals' | 'now' | 'settings' | 'tenants'>,
  {
    id = randomId(ID_LENGTH).toLowerCase(),
    owner,
    mayOwnMany,
    beginAudit,
    originOf,
    tenantId,
  }: TenantCreation,
) {
  const createdAt = now()
  const application = { id: randomId(), name: TENANT_APPLICATION.name, secret: randomId() }
  const sealedSecret = await sealSecret(seals, { tenantId: id, ...application })
  const roleNames = settings.userDefaultRoleNames
  const origin = originOf(id)
  const token = generateInvitationToken()
  const [copiedDigest] = await digestInvitationToken({ seals }, id, token)
  const expiresAt = createdAt + DIRECT_INVITATION_LIFETIME
  const audit = beginAudit(id)
  await commitChange(db, {
    tenantId,
    audit: audit.success(),
    statements: {
      ...tenantCreationStatements(db, { id, createdAt }, { owner, mayOwnMany, roleNames }),
      application: insertApplication(db, id, { ...application, ...administration, createdAt, sealedSecret }),
      role: grantAdminRole(db, id, application.id),
      ...(origin !== null && {
        invitation: insertInvitation(db, {
          tenantId: id,
          id: randomId(),
          kind: 'administrator',
          delivery: 'direct',
          copiedDigest,
          names: {},
          roleIds: [ADMIN_ROLE.id],
          invitedAt: createdAt,
          expiresAt,
          lifetimeSeconds: DIRECT_INVITATION_LIFETIME / SECOND,
        }),
      }),
    },
  }).catch(refuseIfTaken(id))
  tenants.forget(id)
  const invitation = origin === null ? null : { url: invitationUrl(origin, token), expiresAt }
  return { id, createdAt, origin, application, invitation }
}

const administration = {
  type: 'MachineToMachine' as const,
  description: TENANT_APPLICATION.description,
  oidcClientMetadata: { redirectUris: [], postLogoutRedirectUris: [] },
  customClientMetadata: {},
}

/**
 * Turns a violated unique constraint into the error for an id that is taken. Only the database can detect two
 * concurrent calls with the same id (spec/storage#uniqueness).
 */
const refuseIfTaken =
  (id: string) =>
  (error: unknown): never => {
    const violated = isUniqueViolation(error)
    if (violated === OWNER_PLACE_CONSTRAINT) refuseWith('tenant.limit_reached')
    if (violated === TENANT_ID_CONSTRAINT) refuseWith('entity.id_in_use', { id })
    throw error
  }

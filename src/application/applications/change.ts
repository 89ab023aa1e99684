import { refuseWith } from '../../contract/refused.ts'
import { SECOND } from '../../contract/time.ts'
import { describeChanges, mergePatch } from '../../domain/audit-changes.ts'
import { sealSecret, unsealSecret } from '../../storage/applications/application-secrets.ts'
import {
  type ApplicationRow,
  adminRoleQuery,
  applicationExists,
  endPreviousSecret,
  getApplicationWithRole,
  grantAdminRole,
  hasPreviousSecret,
  insertApplication,
  type NewApplicationRow,
  type NewSecret,
  patchApplication,
  removeApplication,
  revokeAdminRole,
} from '../../storage/applications/applications.ts'
import {
  deleteGrantsWithoutConsent,
  deleteGrantsWithoutConsentInChunks,
  deleteIssuedModels,
  deleteIssuedModelsInChunks,
} from '../../storage/applications/issued.ts'
import {
  replaceCredentials,
  scopesOfAdminRole,
  sealReplacedSecrets,
} from '../../storage/applications/replaced-credentials.ts'
import { commitChange } from '../../storage/commit.ts'
import { allOf, not } from '../../storage/conditions.ts'
import type { Guarded } from '../../storage/preconditions.ts'
import type { AuditEntry } from '../audit.ts'
import type { Dependencies } from '../dependencies.ts'
import { refuseDuplicateId } from '../duplicate-id.ts'
import {
  type ApplicationChanges,
  checkApplicationChanges,
  checkNewApplication,
} from './application-checks.ts'

type ApplicationDependencies = Pick<Dependencies, 'db' | 'seals' | 'settings' | 'applications' | 'now'>
/** `origin` is the origin of the pages that show the application's logo. */
type ApplicationChange = { tenantId: string; id: string; origin: string; beginAudit(): AuditEntry }

export async function createApplication(
  dependencies: ApplicationDependencies,
  {
    tenantId,
    origin,
    application,
    beginAudit,
  }: Omit<ApplicationChange, 'id'> & { application: Omit<NewApplicationRow, 'sealedSecret'> },
): Promise<ApplicationRow> {
  const { db, seals, settings } = dependencies
  const { id, secret } = application
  checkNewApplication(application, { settings, origin })
  const sealedSecret = await sealSecret(seals, { tenantId, id, secret })
  const { created } = await commitChange(db, {
    tenantId,
    audit: beginAudit().success(),
    statements: { created: insertApplication(db, tenantId, { ...application, sealedSecret }) },
  }).catch(refuseDuplicateId('applications', id))
  forgetApplication(dependencies, tenantId, id)
  const [row] = created
  return row ? unsealSecret(seals, row) : refuseWith('entity.create_failed')
}

/**
 * Changes an application. `isAdmin` grants or revokes the role with which it can use the management API. Granting the
 * role replaces the application's credentials with a new secret and the credentials in `changes`
 * (spec/management#replaced-credentials). If `changes` has a secret, the previous one ends after `previousSecretTtl`
 * seconds, or else at once. An application has at most two secrets, so a third one cannot be added like this.
 */
export async function changeApplication(
  dependencies: ApplicationDependencies,
  {
    tenantId,
    id,
    origin,
    changes,
    isAdmin,
    previousSecretTtl = 0,
    preconditions,
    beginAudit,
  }: ApplicationChange &
    Guarded & { changes: ApplicationChanges; isAdmin: boolean | undefined; previousSecretTtl?: number },
): Promise<ApplicationRow & { isAdmin: boolean }> {
  const { db, seals, settings } = dependencies
  const stored = await getApplicationWithRole(dependencies, tenantId, id)
  if (!stored) refuseWith('entity.not_exists_with_id', { id })
  if (Object.keys(changes).length === 0 && isAdmin === undefined) return stored
  checkApplicationChanges(stored, changes, { settings, origin })
  const becomesThirdParty = changes.customClientMetadata?.isThirdParty === true
  // One batch could not delete all implicit grants in time. Most are deleted here, and the batch of the change deletes
  // the rest.
  if (becomesThirdParty && !(await deleteGrantsWithoutConsentInChunks(db, tenantId, id)))
    refuseWith('server.unavailable')

  const { secret, ...others } = changes
  const createdAt = dependencies.now()
  const keepsPrevious = previousSecretTtl > 0
  const exists = applicationExists(tenantId, id)
  const condition = keepsPrevious ? allOf(exists, not(hasPreviousSecret(tenantId, id, createdAt))) : exists
  const newSecret = secret
    ? {
        open: secret,
        sealed: await sealSecret(seals, { tenantId, id, secret }),
        createdAt,
        previousExpiresAt: keepsPrevious ? createdAt + previousSecretTtl * SECOND : null,
      }
    : undefined
  const changeRole = isAdmin ? grantAdminRole : revokeAdminRole
  const { replaced, changed, roles } = await commitChange(db, {
    tenantId,
    condition,
    preconditions,
    audit: beginAudit().success(describeApplicationChanges(stored, changes, { isAdmin, newSecret })),
    statements: {
      implicitGrants: becomesThirdParty ? deleteGrantsWithoutConsent(db, tenantId, id) : undefined,
      replaced: isAdmin ? replaceCredentials(db, tenantId, scopesOfAdminRole(id)) : undefined,
      changed: patchApplication(
        db,
        tenantId,
        id,
        { ...others, ...(newSecret && { secret: newSecret }) },
        condition,
      ),
      role: isAdmin === undefined ? undefined : changeRole(db, tenantId, id),
      roles: adminRoleQuery(db, tenantId, id),
    },
  })
  forgetApplication(dependencies, tenantId, id)
  await sealReplacedSecrets({ db, seals }, replaced)
  const row =
    changed[0] ??
    (keepsPrevious
      ? refuseWith('application.has_two_secrets')
      : refuseWith('entity.not_exists_with_id', { id }))
  return { ...(await unsealSecret(seals, row)), isAdmin: roles.length > 0 }
}

/** Ends the previous secret of an application before it expires. */
export async function revokePreviousSecret(
  dependencies: Pick<ApplicationDependencies, 'db' | 'seals' | 'applications' | 'now'>,
  { tenantId, id, audit, preconditions }: Guarded & { tenantId: string; id: string; audit: AuditEntry },
): Promise<void> {
  const now = dependencies.now()
  const stored = await getApplicationWithRole(dependencies, tenantId, id)
  const { ended } = await commitChange(dependencies.db, {
    tenantId,
    condition: hasPreviousSecret(tenantId, id, now),
    preconditions,
    audit: audit.success(stored ? describeChanges(stored, { ...stored, previousSecret: null }) : {}),
    statements: { ended: endPreviousSecret(dependencies.db, tenantId, id, now) },
  })
  forgetApplication(dependencies, tenantId, id)
  if (ended.length === 0) refuseWith('entity.not_found')
}

function describeApplicationChanges(
  stored: ApplicationRow & { isAdmin: boolean },
  changes: ApplicationChanges,
  {
    isAdmin = stored.isAdmin,
    newSecret,
  }: { isAdmin?: boolean | undefined; newSecret?: Omit<NewSecret, 'open' | 'sealed'> | undefined },
) {
  const { oidcClientMetadata, customClientMetadata, ...columns } = changes
  return describeChanges(stored, {
    ...stored,
    ...columns,
    ...(newSecret && describeNewSecret(stored, newSecret)),
    isAdmin,
    oidcClientMetadata: mergePatch(stored.oidcClientMetadata, oidcClientMetadata),
    customClientMetadata: mergePatch(stored.customClientMetadata, customClientMetadata),
  })
}

/** Secrets are told apart by when they were set. Their values are never in an audit entry. */
function describeNewSecret(
  { secretCreatedAt }: ApplicationRow,
  { createdAt, previousExpiresAt: expiresAt }: Omit<NewSecret, 'open' | 'sealed'>,
): Pick<ApplicationRow, 'secretCreatedAt' | 'previousSecret'> {
  const previousSecret = expiresAt === null ? null : { createdAt: secretCreatedAt, expiresAt }
  return { secretCreatedAt: createdAt, previousSecret }
}

/** Deletes an application together with its grants and tokens. */
export async function deleteApplication(
  dependencies: ApplicationDependencies,
  { tenantId, id, audit, preconditions }: Guarded & { tenantId: string; id: string; audit: AuditEntry },
): Promise<void> {
  const { db } = dependencies
  // The caller has to repeat the call if one call cannot delete all grants and tokens.
  if (!(await deleteIssuedModelsInChunks(db, tenantId, id))) refuseWith('server.unavailable')
  const { deleted } = await commitChange(db, {
    tenantId,
    condition: applicationExists(tenantId, id),
    preconditions,
    audit: audit.success(),
    statements: {
      issued: deleteIssuedModels(db, tenantId, id),
      deleted: removeApplication(db, tenantId, id),
    },
  })
  forgetApplication(dependencies, tenantId, id)
  if (deleted.length === 0) refuseWith('entity.not_found')
}

/**
 * Removes the application from the cache, so that the next authorization request reads it again
 * (spec/storage#settings-cache).
 */
function forgetApplication(
  { applications }: Pick<ApplicationDependencies, 'applications'>,
  tenantId: string,
  id: string,
): void {
  applications.forget(JSON.stringify([tenantId, id]))
}

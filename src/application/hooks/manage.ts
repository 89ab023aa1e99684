import { type HookConfig, type HookEvent, maskHeaders } from '../../contract/hooks/hooks.ts'
import { invalidInput } from '../../contract/invalid-input.ts'
import { refuseWith } from '../../contract/refused.ts'
import { describeChanges, mergePatch } from '../../domain/audit-changes.ts'
import { findOutboundUrlProblem } from '../../domain/connectors/outbound-address.ts'
import { generateHookSecret } from '../../outbound/hooks/webhook.ts'
import { commitChange } from '../../storage/commit.ts'
import {
  getHook,
  type HookChanges,
  hookExists,
  hookSecretLabel,
  insertHook,
  removeHook,
  type StoredHook,
  sealHookHeaders,
  unsealHookIfPossible,
  updateHook,
} from '../../storage/hooks/hooks.ts'
import { isFailedDelivery, resendDelivery } from '../../storage/hooks/outbox.ts'
import type { IdentifiedLog } from '../../storage/logs.ts'
import type { Guarded } from '../../storage/preconditions.ts'
import type { AuditEntry } from '../audit.ts'
import type { Dependencies } from '../dependencies.ts'
import { refuseDuplicateId } from '../duplicate-id.ts'

type HookDependencies = Pick<Dependencies, 'db' | 'now' | 'seals' | 'tenantSettings'>
type HookWithSecret = StoredHook & { secret: string }

type HookCreation = {
  tenantId: string
  id: string
  hook: { event: HookEvent; config: HookConfig }
  beginAudit(): AuditEntry
}

/** Creates a hook and its signing secret. The secret cannot be read again later. */
export async function createHook(
  dependencies: HookDependencies,
  { tenantId, id, hook, beginAudit }: HookCreation,
): Promise<HookWithSecret> {
  const { db, now, seals } = dependencies
  await refusePrivateAddress(dependencies, tenantId, hook.config.url)
  const { secret, sealed } = await createSecret(dependencies, tenantId, id)
  const config = await sealHookHeaders(seals, { tenantId, id }, hook.config)
  const { created } = await commitChange(db, {
    tenantId,
    audit: beginAudit().success(),
    statements: {
      created: insertHook(db, { ...hook, config, tenantId, id, secret: sealed, createdAt: now() }),
    },
  }).catch(refuseDuplicateId('hooks', id))
  const [row] = created
  if (!row) refuseWith('entity.create_failed')
  return { ...(await unsealHookIfPossible(seals, row)), secret }
}

type HookPatch = { event?: HookEvent | undefined; config?: Partial<HookConfig> | undefined }
type HookChange = { tenantId: string; id: string; beginAudit(changes: HookChanges): AuditEntry }

export async function changeHook(
  dependencies: HookDependencies,
  { tenantId, id, patch, preconditions, beginAudit }: HookChange & Guarded & { patch: HookPatch },
): Promise<StoredHook> {
  if (patch.config?.url !== undefined) {
    await refusePrivateAddress(dependencies, tenantId, patch.config.url)
  }
  const config = patch.config && (await sealHookHeaders(dependencies.seals, { tenantId, id }, patch.config))
  const changes = { ...patch, ...(config && { config }) }
  const audit = beginAudit(changes)
  const before = await findHookById(dependencies, tenantId, id)
  const after = { ...before, ...patch, config: mergePatch(before.config, patch.config) }
  const described = describeChanges(before, after)
  return updateRow(dependencies, { tenantId, id, changes, preconditions, audit: audit.success(described) })
}

/** Replaces a hook's signing secret. The next delivery is signed with the new secret. */
export async function renewHookSecret(
  dependencies: HookDependencies,
  { tenantId, id, beginAudit }: HookChange,
): Promise<HookWithSecret> {
  const { secret, sealed } = await createSecret(dependencies, tenantId, id)
  const changes = { secret: sealed }
  const audit = beginAudit(changes).success()
  return { ...(await updateRow(dependencies, { tenantId, id, changes, audit })), secret }
}

/** Deletes a hook together with its pending deliveries. */
export async function deleteHook(
  { db }: Pick<Dependencies, 'db'>,
  { tenantId, id, audit, preconditions }: Guarded & { tenantId: string; id: string; audit: AuditEntry },
): Promise<void> {
  const { deleted } = await commitChange(db, {
    tenantId,
    condition: hookExists(tenantId, id),
    preconditions,
    audit: audit.success(),
    statements: { deleted: removeHook(db, tenantId, id) },
  })
  if (deleted.length === 0) refuseWith('entity.not_found')
}

export async function findHookById(
  { db, seals }: Pick<Dependencies, 'db' | 'seals'>,
  tenantId: string,
  id: string,
): Promise<StoredHook> {
  const row = await getHook(db, tenantId, id)
  if (!row) refuseWith('entity.not_exists_with_id', { id })
  const { secret: _secret, ...hook } = row
  return unsealHookIfPossible(seals, hook)
}

type RowChange = Guarded & { tenantId: string; id: string; changes: HookChanges; audit: IdentifiedLog }

async function updateRow(
  { db, seals }: HookDependencies,
  { tenantId, id, changes, audit, preconditions }: RowChange,
): Promise<StoredHook> {
  const { changed } = await commitChange(db, {
    tenantId,
    condition: hookExists(tenantId, id),
    preconditions,
    audit,
    statements: { changed: updateHook(db, tenantId, id, changes) },
  })
  const [row] = changed
  return row ? unsealHookIfPossible(seals, row) : refuseWith('entity.not_exists_with_id', { id })
}

/**
 * Creates a signing secret and seals it, so that a copy of the database is not enough to sign messages
 * (spec/storage#sealing).
 */
async function createSecret({ seals }: HookDependencies, tenantId: string, id: string) {
  const secret = generateHookSecret()
  return { secret, sealed: await seals.seal(hookSecretLabel(tenantId, id), secret) }
}

/**
 * Rejects a private URL. Deliveries check this again, because the setting that allows private URLs may have changed.
 */
async function refusePrivateAddress(
  { tenantSettings }: HookDependencies,
  tenantId: string,
  url: string,
): Promise<void> {
  const message = findOutboundUrlProblem(url, await tenantSettings.get(tenantId))
  if (message) throw invalidInput({ issues: [{ path: ['config', 'url'], message }] })
}

/**
 * Removes the headers of a hook for callers who may not change the hook. The headers authenticate us to the receiver
 * (spec/management#withheld-secrets).
 */
export const withoutHeaders = (hook: StoredHook): StoredHook => ({
  ...hook,
  config: { ...hook.config, ...maskHeaders(hook.config) },
})

type Resend = { tenantId: string; hookId: string; id: string; audit: AuditEntry }

/** Makes a failed delivery due again. The caller sends it after the response (spec/management#hook-deliveries). */
export async function resendFailedDelivery(
  { db, now }: Pick<Dependencies, 'db' | 'now'>,
  { tenantId, hookId, id, audit }: Resend,
): Promise<void> {
  const { resent } = await commitChange(db, {
    tenantId,
    condition: isFailedDelivery({ tenantId, id }, hookId),
    audit: audit.success(),
    statements: { resent: resendDelivery(db, { tenantId, id, hookId, now: now() }) },
  })
  if (resent.length === 0) refuseWith('entity.not_found')
}

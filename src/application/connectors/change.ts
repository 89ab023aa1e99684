import type { z } from 'zod'
import type { ConnectorCreation, ConnectorPatch } from '../../contract/connectors/connectors.schema.ts'
import type { Refusal } from '../../contract/errors.ts'
import { invalidInput } from '../../contract/invalid-input.ts'
import { refuseWith, throwIfRefused } from '../../contract/refused.ts'
import { describeChanges } from '../../domain/audit-changes.ts'
import { chooseConnectorId } from '../../domain/connectors/connector-id.ts'
import {
  findConnectorChangeProblem,
  findConnectorCreationProblem,
} from '../../domain/connectors/connector-rules.ts'
import { hideSecrets } from '../../domain/connectors/connector-secrets.ts'
import { findPictureProblem } from '../../domain/experience/pictures.ts'
import { commitChange } from '../../storage/commit.ts'
import { ALWAYS_TRUE, allOf } from '../../storage/conditions.ts'
import {
  CONNECTOR_ID_CONSTRAINT,
  type ConnectorRow,
  connectorExists,
  connectorsQuery,
  deleteConnector,
  deleteOtherConnectorsOfType,
  getConnector,
  insertConnector,
  isNewestConnectorOfType,
  patchConnector,
  sealConfig,
  unsealConnectorOrEmpty,
} from '../../storage/connectors/connectors.ts'
import { isUniqueViolation } from '../../storage/database.ts'
import { removeConnectorTarget } from '../../storage/experience/experience.ts'
import { randomId } from '../../storage/ids.ts'
import type { Guarded } from '../../storage/preconditions.ts'
import {
  isNamespaceOf,
  recordMissingNamespace,
  setNamespace,
} from '../../storage/social/identity-namespaces.ts'
import type { AuditEntry } from '../audit.ts'
import type { Dependencies } from '../dependencies.ts'
import { completeConfig, refuseInvalidConfig } from './config.ts'
import {
  type ConnectorDescription,
  describeConnector,
  describeFactory,
  findFactory,
  refuseDemo,
  toInstalledConnectors,
} from './describe.ts'
import { mayTakeTarget, namespaceOf, refuseTakenTarget } from './target.ts'

type ConnectorDependencies = Pick<Dependencies, 'db' | 'seals' | 'settings' | 'now' | 'experience' | 'social'>

type Installation = {
  tenantId: string
  /** The origin of the pages that show the connector's logo. */
  origin: string
  request: z.infer<typeof ConnectorCreation>
  beginAudit(connectorId: string): AuditEntry
}

/** Installs a connector. A message connector replaces all other connectors of its type. */
export async function installConnector(
  dependencies: ConnectorDependencies,
  { tenantId, origin, request, beginAudit }: Installation,
): Promise<ConnectorDescription> {
  const { db, now } = dependencies
  const { connectorId, metadata = {}, syncProfile = false } = request
  const rows = await connectorsQuery(db, tenantId)
  const id = request.id ?? chooseId(request, rows)
  const audit = beginAudit(id)
  const factory = findFactory(connectorId)
  if (!factory) refuseWith('connector.not_found_with_connector_id', { connectorId })
  const problemBeside = (others: typeof rows) =>
    findConnectorCreationProblem(describeFactory(factory), request, others.flatMap(toInstalledConnectors))
  throwIfRefused(problemBeside(rows) ?? logoProblem(metadata, origin))
  // Placeholders refer to stored secrets, which a new connector does not have yet.
  const config = request.config && completeConfig(request.config, {}, factory)
  if (config !== undefined) refuseInvalidConfig(dependencies, factory, config)

  const sealed = await sealConfig(dependencies, tenantId, id, config ?? {})
  const row = { id, connectorId, syncProfile, metadata, config: sealed, createdAt: now() }
  const replacement = 'type' in factory ? { id, type: factory.type, createdAt: row.createdAt } : undefined
  const claim = namespaceOf(row, config ?? {})
  const condition = replacement
    ? isNewestConnectorOfType(tenantId, replacement)
    : mayTakeTarget(tenantId, row, claim)
  const { created } = await commitChange(db, {
    tenantId,
    condition,
    audit: audit.success(),
    statements: {
      created: insertConnector(db, tenantId, row, condition),
      noted: claim ? setNamespace(db, tenantId, claim, connectorExists(tenantId, id)) : undefined,
      replaced: replacement && deleteOtherConnectorsOfType(db, tenantId, replacement),
    },
  }).catch(refuseTakenConnectorId)
  forgetConnectors(dependencies, tenantId)
  if (!replacement && created.length === 0) {
    // Another connector may have taken the target since the check above.
    throwIfRefused(problemBeside(await connectorsQuery(db, tenantId)))
    refuseTakenTarget('metadata')
  }
  return describeStored(dependencies, created[0])
}

const RANDOM_ID_LENGTH = 12 // spec/storage#ids

/** Names a connector after its target. All other factories have a fixed target, so their ids are random. */
function chooseId({ metadata }: Installation['request'], rows: readonly ConnectorRow[]): string {
  const usedIds = rows.map(({ id }) => id)
  return metadata?.target === undefined
    ? randomId(RANDOM_ID_LENGTH)
    : chooseConnectorId(metadata.target, usedIds)
}

type ConnectorChange = Omit<Installation, 'request' | 'beginAudit'> &
  Guarded & {
    id: string
    patch: z.infer<typeof ConnectorPatch>
    /** Begins the audit entry, once the connector's factory is known. */
    beginAudit(factoryId: string): AuditEntry
  }

export async function changeConnector(
  dependencies: ConnectorDependencies,
  { tenantId, id, origin, patch, preconditions, beginAudit }: ConnectorChange,
): Promise<ConnectorDescription> {
  const { db } = dependencies
  const stored = await getConnector(dependencies, tenantId, id, unsealConnectorOrEmpty)
  if (!stored) await refuseDemo(dependencies, tenantId, id)
  const [installed] = stored ? toInstalledConnectors(stored) : []
  const factory = stored && findFactory(stored.connectorId)
  if (!installed || !factory) refuseWith('entity.not_found')
  if (Object.keys(patch).length === 0) return describeConnector(stored) ?? refuseWith('entity.not_found')

  const audit = beginAudit(installed.factory.id)
  throwIfRefused(
    findConnectorChangeProblem(installed, patch) ?? logoProblem(patch.metadata, origin, stored.metadata),
  )
  const { config: newConfig, ...rest } = patch
  // The new metadata keeps the target, because user identities are stored under it.
  const { target } = installed.metadata
  const changes = { ...rest, ...(rest.metadata && target && { metadata: { ...rest.metadata, target } }) }
  const config = newConfig && completeConfig(newConfig, stored.config, factory)
  if (config !== undefined) refuseInvalidConfig(dependencies, factory, config)
  const sealed = config && { config: await sealConfig(dependencies, tenantId, id, config) }
  const claim = config ? namespaceOf(stored, config, stored.config) : null
  const isOurs = claim ? isNamespaceOf(tenantId, claim) : ALWAYS_TRUE
  const condition = allOf(connectorExists(tenantId, id), isOurs)
  const { changed } = await commitChange(db, {
    tenantId,
    condition,
    preconditions,
    audit: audit.success(
      describeChanges(
        { ...stored, config: hideSecrets(stored.config, factory.formItems) },
        { ...stored, ...changes, config: hideSecrets(config ?? stored.config, factory.formItems) },
      ),
    ),
    statements: {
      changed: patchConnector(db, tenantId, id, { ...changes, ...sealed }, isOurs),
      noted: claim ? setNamespace(db, tenantId, claim, condition) : undefined,
    },
  })
  forgetConnectors(dependencies, tenantId)
  if (changed.length === 0 && claim && claim.namespace !== claim.before) refuseTakenTarget('config')
  return describeStored(dependencies, changed[0])
}

/**
 * Removes a connector. If it was the only one with its target, the target is also removed from the sign-in experience.
 */
export async function removeConnector(
  dependencies: ConnectorDependencies,
  { tenantId, id, audit, preconditions }: Guarded & { tenantId: string; id: string; audit: AuditEntry },
): Promise<void> {
  const { db } = dependencies
  const stored = await getConnector(dependencies, tenantId, id, unsealConnectorOrEmpty)
  const claim = stored && namespaceOf(stored, stored.config)
  const condition = connectorExists(tenantId, id)
  const { deleted } = await commitChange(db, {
    tenantId,
    condition,
    preconditions,
    audit: audit.success(),
    statements: {
      namespace: claim ? recordMissingNamespace(db, tenantId, claim, condition) : undefined,
      // This statement reads the connector's target, so it must precede the deletion.
      experience: removeConnectorTarget(db, tenantId, id),
      deleted: deleteConnector(db, tenantId, id),
    },
  })
  forgetConnectors(dependencies, tenantId)
  if (deleted.length === 0) refuseWith('entity.not_found')
}

export async function findConnectorById(
  dependencies: Pick<Dependencies, 'db' | 'seals'>,
  tenantId: string,
  id: string,
): Promise<ConnectorDescription> {
  const row = await getConnector(dependencies, tenantId, id, unsealConnectorOrEmpty)
  if (!row) await refuseDemo(dependencies, tenantId, id)
  return (row && describeConnector(row)) ?? refuseWith('entity.not_found')
}

type Logos = Pick<NonNullable<Installation['request']['metadata']>, 'logo' | 'logoDark'>

/** Only changed logos are checked. Logos that were set before this rule existed may be kept. */
function logoProblem(logos: Logos = {}, origin: string, stored: Logos = {}): Refusal | null {
  const changed = (['logo', 'logoDark'] as const).filter((name) => logos[name] !== stored[name])
  return findPictureProblem(
    changed.map((name) => ({ path: ['metadata', name], address: logos[name] })),
    origin,
  )
}

function forgetConnectors({ experience, social }: ConnectorDependencies, tenantId: string): void {
  experience.forget(tenantId)
  social.forget(tenantId)
}

/** Describes a stored connector. Throws if its row has been deleted since it was read. */
async function describeStored(
  { seals }: ConnectorDependencies,
  row: ConnectorRow | undefined,
): Promise<ConnectorDescription> {
  const described = row && describeConnector(await unsealConnectorOrEmpty(seals, row))
  return described ?? refuseWith('entity.not_found')
}

function refuseTakenConnectorId(error: unknown): never {
  if (isUniqueViolation(error) !== CONNECTOR_ID_CONSTRAINT) throw error
  throw invalidInput({ issues: [{ path: ['id'], message: 'belongs to another connector' }] })
}

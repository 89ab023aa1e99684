import { unprocessableInput } from '../../contract/invalid-input.ts'
import { RefusalError } from '../../contract/refused.ts'
import { type FactoryFacts, mayCollide } from '../../domain/connectors/connector-rules.ts'
import { identityNamespace } from '../../domain/social/identity-namespace.ts'
import { ALWAYS_TRUE, allOf, type Condition } from '../../storage/conditions.ts'
import { type ConnectorConfig, connectorTarget } from '../../storage/connectors/connectors.ts'
import {
  isNamespaceOf,
  isTargetFree,
  type TargetNamespace,
} from '../../storage/social/identity-namespaces.ts'
import { allFactories, describeFactory } from './describe.ts'

/** Keeps the targets of social connectors apart, because identities are stored under them. */

type TargetRow = Parameters<typeof connectorTarget>[0]

/**
 * Returns the target under which a social connector stores identities, with the namespace of those identities. Returns
 * null if either is unknown.
 */
export function namespaceOf(
  row: TargetRow,
  config: ConnectorConfig,
  stored?: ConnectorConfig,
): TargetNamespace | null {
  const target = connectorTarget(row)
  const namespace = target && identityNamespace(row.connectorId, config)
  if (!target || !namespace) return null
  return { target, namespace, before: stored ? identityNamespace(row.connectorId, stored) : null }
}

/**
 * Returns the condition that the target is unused. Only the database can check this, because concurrent installations
 * do not see each other.
 */
export function mayTakeTarget(tenantId: string, row: TargetRow, claim: TargetNamespace | null): Condition {
  const target = connectorTarget(row)
  if (target === null) return ALWAYS_TRUE
  const factories: FactoryFacts[] = allFactories().map(describeFactory)
  const own = factories.find(({ id }) => id === row.connectorId)
  const rivals = factories.filter((other) => own && mayCollide(own, other))
  const isFree = isTargetFree(tenantId, { target, rivals })
  return claim ? allOf(isFree, isNamespaceOf(tenantId, claim)) : isFree
}

/**
 * Rejects a target that is in use. Otherwise, the owner of an account at one provider could sign in as a user who has
 * linked an account at another (spec/connectors#identity-namespaces).
 */
export function refuseTakenTarget(path: 'metadata' | 'config'): never {
  const message = 'the target has identities of another provider; another connector needs another target'
  throw new RefusalError(unprocessableInput([{ path: [path], message }]))
}

import { unprocessableInput } from '../../contract/invalid-input.ts'
import { RefusalError } from '../../contract/refused.ts'
import { type FactoryFacts, mayCollide } from '../../domain/connectors/connector-rules.ts'
import { identityNamespace } from '../../domain/social/identity-namespace.ts'
import { allOf, type Condition, isAlwaysTrue } from '../../storage/conditions.ts'
import { type ConnectorConfig, targetOf } from '../../storage/connectors/connectors.ts'
import {
  isNamespaceOf,
  isTargetFree,
  type TargetNamespace,
} from '../../storage/social/identity-namespaces.ts'
import { allFactories, describeFactory } from './connector-descriptions.ts'

type Row = Parameters<typeof targetOf>[0]

/** The target that a social connector files identities under, and whose they are. Null where neither is known (yet). */
export function namespaceOf(
  row: Row,
  config: ConnectorConfig,
  stored?: ConnectorConfig,
): TargetNamespace | null {
  const target = targetOf(row)
  const namespace = target && identityNamespace(row.connectorId, config)
  if (!target || !namespace) return null
  return { target, namespace, before: stored ? identityNamespace(row.connectorId, stored) : null }
}

/** What must hold in the database when a connector is installed: creations at the same time do not see each other. */
export function mayTakeTarget(tenantId: string, row: Row, claim: TargetNamespace | null): Condition {
  const target = targetOf(row)
  if (target === null) return isAlwaysTrue
  const factories: FactoryFacts[] = allFactories().map(describeFactory)
  const own = factories.find(({ id }) => id === row.connectorId)
  const rivals = factories.filter((other) => own && mayCollide(own, other))
  const isFree = isTargetFree(tenantId, { target, rivals })
  return claim ? allOf(isFree, isNamespaceOf(tenantId, claim)) : isFree
}

/** An account of one provider must not sign in as the user who linked the account of another (spec/connectors#identity-namespaces). */
export function refuseTakenTarget(path: 'metadata' | 'config'): never {
  const message = 'the target has identities of another provider; another connector needs another target'
  throw new RefusalError(unprocessableInput([{ path: [path], message }]))
}

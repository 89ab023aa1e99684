/** The management API's rules for connectors (spec/management#connectors-api). */
import type { ConnectorType } from '../../contract/connectors/connectors.ts'
import { type Refusal, refuse } from '../../contract/errors.ts'

export type FactoryFacts = {
  id: string
  type: ConnectorType
  target: string
  platform: 'Web' | 'Native' | 'Universal' | null
  /** If true, several connectors of this factory may be installed, each with its own target and name. */
  isStandard?: boolean | undefined
}

type Metadata = { target?: string | undefined; name?: unknown; logo?: unknown; logoDark?: unknown }
type ConnectorChange = { metadata?: Metadata | undefined; syncProfile?: boolean | undefined }

export type InstalledConnector = {
  id: string
  factory: FactoryFacts
  metadata: Metadata
  name: Record<string, string>
}

/** Returns the reason why a connector of this factory cannot be installed alongside the existing ones. */
export function findConnectorCreationProblem(
  factory: FactoryFacts,
  change: ConnectorChange,
  installed: readonly InstalledConnector[],
): Refusal | null {
  const { metadata = {} } = change
  if (!factory.isStandard && installed.some((other) => other.factory.id === factory.id)) {
    return refuse('connector.multiple_instances_not_supported', { connectorId: factory.id })
  }
  if (factory.type === 'Social' && factory.isStandard && !metadata.target) {
    return refuse('connector.should_specify_target')
  }
  return factProblem(factory, change) ?? targetProblem(factory, metadata, installed)
}

/** Returns the reason why a change to an installed connector is not allowed. */
export function findConnectorChangeProblem(
  { factory, metadata }: InstalledConnector,
  change: ConnectorChange,
): Refusal | null {
  const problem = factProblem(factory, change)
  if (problem) return problem
  const isRetargeted = change.metadata?.target !== undefined && change.metadata.target !== metadata.target
  return isRetargeted ? refuse('connector.can_not_modify_target') : null
}

function factProblem(
  { type, isStandard }: FactoryFacts,
  { metadata = {}, syncProfile }: ConnectorChange,
): Refusal | null {
  if (!isStandard && Object.values(metadata).some((value) => value !== undefined)) {
    return refuse('connector.cannot_overwrite_metadata_for_non_standard_connector')
  }
  return syncProfile && type !== 'Social' ? refuse('connector.invalid_type_for_syncing_profile') : null
}

/**
 * Checks whether two connectors would conflict if they had the same target. Connectors of one provider for several
 * platforms may share a target. A connector for a standard protocol must not share its target with any other connector.
 */
export const mayCollide = (factory: FactoryFacts, other: FactoryFacts): boolean =>
  other.type === 'Social' &&
  (other.platform === factory.platform || Boolean(factory.isStandard || other.isStandard))

/** Returns an error if a conflicting connector has the same target, because the two would share their identities. */
function targetProblem(
  factory: FactoryFacts,
  metadata: Metadata,
  installed: readonly InstalledConnector[],
): Refusal | null {
  if (factory.type !== 'Social') return null
  const target = metadata.target ?? factory.target
  const same = installed.find(
    (other) =>
      mayCollide(factory, other.factory) && (other.metadata.target ?? other.factory.target) === target,
  )
  return same
    ? refuse('connector.multiple_target_with_same_platform', {
        connectorId: same.id,
        connectorName: same.name,
      })
    : null
}

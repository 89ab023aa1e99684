import type { FormItem } from '../../contract/connectors/connectors.ts'
import { invalidInput } from '../../contract/invalid-input.ts'
import { refuseWith } from '../../contract/refused.ts'
import { restoreSecrets, secretsToReenter } from '../../domain/connectors/connector-secrets.ts'
import { ConnectorFailure } from '../../outbound/failure.ts'
import { parseConfig, refusePrivateTargets } from '../../outbound/messages/message.ts'
import { unknownKeys } from '../../outbound/unknown-keys.ts'
import type { Dependencies } from '../dependencies.ts'
import type { AnyConnector } from './describe.ts'

type Config = Record<string, unknown>

/**
 * The given configuration with the stored secrets in place of their placeholders. Refused where a stored secret would be
 * sent to another server than before (spec/connectors#connector-secrets).
 */
export function completeConfig(
  submitted: Config,
  stored: Config,
  { formItems }: { formItems: readonly FormItem[] },
): Config {
  const message = 'must be given again, because it would be sent to another server'
  const issues = secretsToReenter(submitted, stored, formItems).map((key) => ({
    path: ['config', key],
    message,
  }))
  if (issues.length > 0) throw invalidInput({ issues })
  return restoreSecrets(submitted, stored, formItems)
}

/** A configuration is checked when it is stored, by the schema of its connector (spec/connectors#connector-errors). */
export function refuseBadConfig(
  dependencies: Pick<Dependencies, 'settings'>,
  factory: AnyConnector,
  config: Config,
): void {
  const failure = configFailure(dependencies, factory, config)
  if (failure) refuseWith(`connector.${failure.code}`, failure.data)
  refuseUnknownKeys(factory, config)
}

/** A misspelt key would be stored, and never read. */
export function refuseUnknownKeys(factory: AnyConnector, config: Config): void {
  const issues = unknownKeys(factory.config, config).map(({ path, key }) => ({
    code: 'unrecognized_keys',
    path: ['config', ...path],
    message: `Unrecognized key: "${key}"`,
  }))
  if (issues.length > 0) throw invalidInput({ issues })
}

/** What is wrong with a configuration, or null. */
export function configFailure(
  { settings }: Pick<Dependencies, 'settings'>,
  factory: AnyConnector,
  config: Config,
): ConnectorFailure | null {
  try {
    parseConfig(factory, config)
    refusePrivateTargets(config, { allowPrivateTargets: settings.environment === 'development' })
    return null
  } catch (error) {
    if (error instanceof ConnectorFailure) return error
    throw error
  }
}

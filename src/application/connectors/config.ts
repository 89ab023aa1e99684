import { type FormItem, SECRET_PLACEHOLDER } from '../../contract/connectors/connectors.ts'
import { invalidInput } from '../../contract/invalid-input.ts'
import { refuseWith } from '../../contract/refused.ts'
import { readConfigValue } from '../../domain/connectors/config-value.ts'
import { findSecretsToReenter, restoreSecrets } from '../../domain/connectors/connector-secrets.ts'
import { ConnectorFailure } from '../../outbound/failure.ts'
import { parseConfig, rejectPrivateTargets } from '../../outbound/messages/message.ts'
import { findUnknownKeys } from '../../outbound/unknown-keys.ts'
import type { Dependencies } from '../dependencies.ts'
import type { AnyConnector } from './describe.ts'

type Config = Record<string, unknown>

/**
 * Replaces the placeholders in a submitted configuration with the stored secrets. Throws if a stored secret would then
 * be sent to a different server, or if nothing stored stands for a placeholder (spec/connectors#connector-secrets).
 */
export function completeConfig(
  submitted: Config,
  stored: Config,
  { formItems }: { formItems: readonly FormItem[] },
): Config {
  const message = 'must be entered again, because it would be sent to another server'
  const issues = findSecretsToReenter(submitted, stored, formItems).map((key) => ({
    path: ['config', ...key.split('.')],
    message,
  }))
  if (issues.length > 0) throw invalidInput({ issues })
  const config = restoreSecrets(submitted, stored, formItems)
  const hidden = formItems.filter(({ key }) => readConfigValue(config, key) === SECRET_PLACEHOLDER)
  if (hidden.length > 0)
    throw invalidInput({
      issues: hidden.map(({ key }) => ({
        path: ['config', ...key.split('.')],
        message: 'must be entered again, because the stored value has changed',
      })),
    })
  return config
}

/** Throws if a configuration does not match its connector's schema (spec/connectors#connector-errors). */
export function refuseInvalidConfig(
  dependencies: Pick<Dependencies, 'settings'>,
  factory: AnyConnector,
  config: Config,
): void {
  const failure = configFailure(dependencies, factory, config)
  if (failure) refuseWith(`connector.${failure.code}`, failure.data)
  refuseUnknownKeys(factory, config)
}

/** Rejects unknown keys. Otherwise, a misspelt key would be stored but never used. */
export function refuseUnknownKeys(factory: AnyConnector, config: Config): void {
  const issues = findUnknownKeys(factory.config, config).map(({ path, key }) => ({
    code: 'unrecognized_keys',
    path: ['config', ...path],
    keys: [key],
    message: `Unrecognized key: "${key}"`,
  }))
  if (issues.length > 0) throw invalidInput({ issues })
}

/** Returns the first problem with a configuration, or null if it is valid. */
export function configFailure(
  { settings }: Pick<Dependencies, 'settings'>,
  factory: AnyConnector,
  config: Config,
): ConnectorFailure | null {
  try {
    parseConfig(factory, config)
    rejectPrivateTargets(config, { allowPrivateTargets: settings.environment === 'development' })
    return null
  } catch (error) {
    if (error instanceof ConnectorFailure) return error
    throw error
  }
}

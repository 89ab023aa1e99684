import { useQueryClient } from '@tanstack/react-query'
import { readConfigValue, writeConfigValue } from '../../../src/domain/connectors/config-value.ts'
import { isDeepEqual } from '../../api/changes.ts'
import { type EntityForm, useEntityForm } from '../../api/entity-form.ts'
import { buildConfigBody, type Config, type Connector, clearHiddenValues, type FormItem } from './config.ts'
import { type ConfigFieldsState, useConfigFields } from './use-config-fields.ts'

export type ConnectorForm = EntityForm<Connector> & {
  value: Connector
  fields: ConfigFieldsState
  isConfigChanged: boolean
  /** The keys of the secrets in the configuration that didn't survive a reload. */
  lostKeys: readonly string[]
}

type ConnectorFormOptions = {
  connector: Connector
  items: readonly FormItem[]
  /** Called when a save or an undo has changed the stored configuration. */
  onStored: () => void
  /** Called when the configuration in the form changes. */
  onTyped: () => void
}

/**
 * Manages the form of an installed connector (spec/console#drafts). Its configuration is edited key by key and sent
 * whole, with placeholders for the secrets that don't change (spec/connectors#connector-secrets).
 */
export function useConnectorForm({
  connector,
  items,
  onStored,
  onTyped,
}: ConnectorFormOptions): ConnectorForm {
  const client = useQueryClient()
  const secretKeys = items.flatMap(({ key, isSecret }) => (isSecret ? [key] : []))
  const form = useEntityForm<Connector>(`/connectors/${connector.id}`, {
    merged: ['config'],
    secrets: secretKeys.map(configField),
    implied: (changes, { config }) => clearHiddenFields(items, changes, config),
    toPatch: ({ config, ...changes }, stored) => ({
      ...changes,
      ...(config && { config: buildConfigBody(items, { ...stored.config, ...config }, stored.config) }),
    }),
  })
  const { value = connector, stored = connector } = form
  const fields = useConfigFields({
    items,
    config: value.config,
    stored: stored.config,
    saveError: form.problem,
    onChange: (key, next) => {
      form.change(({ config }) => ({ config: writeConfigValue(config, key, next) }))
      onTyped()
    },
  })
  const isChanged = (key: string) =>
    !isDeepEqual(readConfigValue(value.config, key), readConfigValue(stored.config, key))
  const isConfigChanged = !isDeepEqual(value.config, stored.config)

  async function save(): ReturnType<ConnectorForm['save']> {
    if (!fields.complete()) return null
    const saved = await form.save()
    if (!saved) return null
    const notifyStored = () => {
      // The gallery shows the connector's name.
      void client.invalidateQueries({ queryKey: ['/connectors'], exact: true })
      if (isConfigChanged) onStored()
    }
    notifyStored()
    // The save can't be undone: the previous secret is unknown, and the other changes may only work with the new
    // secret.
    if (secretKeys.some(isChanged)) return {}
    return { undo: () => saved.undo?.().then(notifyStored) ?? Promise.resolve() }
  }

  const discard = () => {
    form.discard()
    if (isConfigChanged) onTyped()
  }
  const lostKeys = secretKeys.filter((key) => form.lost.includes(configField(key)))
  return { ...form, value, save, discard, fields, isConfigChanged, lostKeys }
}

const configField = (key: string) => `config.${key}`

function clearHiddenFields(
  items: readonly FormItem[],
  changes: Partial<Connector>,
  stored: Config,
): Partial<Connector> {
  if (!changes.config) return changes
  const hidden = clearHiddenValues(items, { ...stored, ...changes.config })
  return { ...changes, config: { ...changes.config, ...hidden } }
}

import type { z } from 'zod'
import type { TenantSettingsResponse } from '../../../src/contract/tenants/settings.schema.ts'
import { isDeepEqual } from '../../api/changes.ts'
import { type EntityForm, useEntityForm } from '../../api/entity-form.ts'
import { bindFields } from '../../ui/bound.ts'
import { buildStorageBody, needsSecret, type Storage, storageSecrets } from './storage.ts'

export type Settings = z.infer<typeof TenantSettingsResponse>
const SETTINGS_PATH = '/configs/settings'

/**
 * Manages the form that all pages of settings share. The storage for uploads is edited field by field but sent whole.
 */
export function useSettingsForm(): EntityForm<Settings> {
  const form = useEntityForm<Settings>(SETTINGS_PATH, {
    merged: ['storageProvider'],
    secrets: storageSecrets.map((name) => `storageProvider.${name}`),
    toPatch: (changes, stored) =>
      'storageProvider' in changes ? { ...changes, storageProvider: storagePatch(changes, stored) } : changes,
  })
  const { value, stored } = form
  return {
    ...form,
    async save() {
      const saved = await form.save()
      // The secret of the previous storage is unknown, so the save can't be undone.
      const cannotUndo =
        !isDeepEqual(value?.storageProvider, stored?.storageProvider) &&
        needsSecret(stored?.storageProvider ?? null)
      return saved && cannotUndo ? {} : saved
    },
  }
}

function storagePatch({ storageProvider }: Partial<Settings>, stored: Settings): Storage | null {
  return storageProvider ? buildStorageBody({ ...stored.storageProvider, ...storageProvider }) : null
}

type ObjectName =
  | 'secondFactor'
  | 'passwordPolicy'
  | 'passkeys'
  | 'accountCentre'
  | 'limits'
  | 'unregisteredClients'
  | 'clientRegistration'
  | 'organizations'

/** The props of a page of settings: the values with the unsaved changes, and the functions that change them. */
export type SettingsPart = {
  value: Settings
  form: EntityForm<Settings>
  mayWrite: (setting: keyof Settings) => boolean
  /** Returns the props of the fields that edit top-level settings. */
  fields: ReturnType<typeof bindFields<Settings>>
  /** Returns the props of the fields of one settings object. */
  fieldsIn: <Name extends ObjectName>(name: Name) => ReturnType<typeof bindFields<Settings[Name]>>
  /** Returns the reason why a user who may change other settings can't change this one. */
  reason: (setting: keyof Settings) => string | undefined
}

export function createSettingsPart(
  form: EntityForm<Settings>,
  value: Settings,
  authority: Pick<SettingsPart, 'mayWrite' | 'reason'>,
): SettingsPart {
  const problems = form.problem?.fields ?? {}
  const isDisabled = (name: keyof Settings) => !authority.mayWrite(name)
  return {
    ...authority,
    value,
    form,
    fields: bindFields({ value, problems, isDisabled, change: form.change }),
    fieldsIn: (name) =>
      bindFields({
        value: value[name],
        path: name,
        problems,
        isDisabled: isDisabled(name),
        change: (changes) => form.change({ [name]: { ...value[name], ...changes } }),
      }),
  }
}

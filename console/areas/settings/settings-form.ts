import type { z } from 'zod'
import type { TenantSettingsResponse } from '../../../src/contract/tenants/settings.schema.ts'
import { isSame } from '../../api/changes.ts'
import { type EntityForm, useEntityForm } from '../../api/entity-form.ts'
import { bindFields } from '../../ui/bound.ts'
import { needsSecret, type Storage, storageSecrets, storageToSend } from './storage.ts'

export type Settings = z.infer<typeof TenantSettingsResponse>
const SETTINGS_PATH = '/configs/settings'

/** Manages one form for all pages of settings. The storage for uploads is changed field by field and sent whole. */
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
      // Without the secret of the previous storage, the save can't be undone.
      const cannotUndo =
        !isSame(value?.storageProvider, stored?.storageProvider) &&
        needsSecret(stored?.storageProvider ?? null)
      return saved && cannotUndo ? {} : saved
    },
  }
}

function storagePatch({ storageProvider }: Partial<Settings>, stored: Settings): Storage | null {
  return storageProvider ? storageToSend({ ...stored.storageProvider, ...storageProvider }) : null
}

type ObjectName =
  | 'secondFactor'
  | 'passwordPolicy'
  | 'passkeys'
  | 'accountCentre'
  | 'limits'
  | 'unregisteredClients'
  | 'clientRegistration'

/** The props of a page of settings: the values with the unsaved changes, and how they change. */
export type SettingsPart = {
  value: Settings
  form: EntityForm<Settings>
  mayWrite: (setting: keyof Settings) => boolean
  /** The props of the fields of top-level settings. */
  fields: ReturnType<typeof bindFields<Settings>>
  /** Returns the props of the fields of one settings object. */
  fieldsIn: <Name extends ObjectName>(name: Name) => ReturnType<typeof bindFields<Settings[Name]>>
  /** Returns the reason why users who may write other settings can't write this one. */
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

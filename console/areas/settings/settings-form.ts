import type { z } from 'zod'
import type { TenantSettingsAnswer } from '../../../src/contract/tenants/settings.schema.ts'
import { isSame } from '../../api/changes.ts'
import { type EntityForm, useEntityForm } from '../../api/entity-form.ts'
import { hasSecret, type Storage, sentStorage, storageSecrets } from './storage.ts'

export type Settings = z.infer<typeof TenantSettingsAnswer>
const SETTINGS_PATH = '/configs/settings'

/** One form for all pages of settings. The place for uploads is changed field by field, and sent as a whole. */
export function useSettingsForm(): EntityForm<Settings> {
  const form = useEntityForm<Settings>(SETTINGS_PATH, {
    merged: ['storageProvider'],
    secrets: storageSecrets.map((name) => `storageProvider.${name}`),
    toPatch: (changes, stored) =>
      'storageProvider' in changes
        ? { ...changes, storageProvider: storageToSend(changes, stored) }
        : changes,
  })
  const { value, stored } = form
  return {
    ...form,
    async save() {
      const saved = await form.save()
      // Without the secret of the place before, there is no way back to it.
      const isStuck =
        !isSame(value?.storageProvider, stored?.storageProvider) && hasSecret(stored?.storageProvider ?? null)
      return saved && isStuck ? {} : saved
    },
  }
}

function storageToSend({ storageProvider }: Partial<Settings>, stored: Settings): Storage | null {
  return storageProvider ? sentStorage({ ...stored.storageProvider, ...storageProvider }) : null
}

/** What a page of settings draws: the values with what is not saved, and how they change. */
export type SettingsPart = {
  value: Settings
  form: EntityForm<Settings>
  mayWrite: (setting: keyof Settings) => boolean
  /** Why users who may write other settings cannot write this one. */
  reason: (setting: keyof Settings) => string | undefined
}

/** An empty field is no number: the API says what it wants. */
export const numberOf = (text: string): number => (text === '' ? Number.NaN : Number(text))
/** A change that waits is stored as JSON, where such a number is null. */
export const textOf = (value: number | null): string => (Number.isFinite(value) ? String(value) : '')

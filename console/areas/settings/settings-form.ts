import type { z } from 'zod'
import type { TenantSettingsAnswer } from '../../../src/contract/settings.schema.ts'
import type { EntityForm } from '../../api/entity-form.ts'

export type Settings = z.infer<typeof TenantSettingsAnswer>
export const SETTINGS_PATH = '/configs/settings'

/** What a page of settings draws: the values with what is not saved, and how they change. */
export type SettingsPart = {
  value: Settings
  form: EntityForm<Settings>
  mayWrite: boolean
}

/** An empty field is no number: the API says what it wants. */
export const numberOf = (text: string): number => (text === '' ? Number.NaN : Number(text))
/** A change that waits is stored as JSON, where such a number is null. */
export const textOf = (value: number | null): string => (Number.isFinite(value) ? String(value) : '')

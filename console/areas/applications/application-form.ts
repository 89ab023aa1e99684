import type { EntityForm } from '../../api/entity-form.ts'
import type { Application } from './application.ts'

export type ApplicationForm = EntityForm<Application>
type Metadata = Application['oidcClientMetadata']
type Custom = Application['customClientMetadata']

/** What the cards of the settings work with. */
export type SettingsProps = {
  application: Application
  change: ApplicationForm['change']
  setMetadata: (metadata: Partial<Metadata>) => void
  setCustom: (metadata: Partial<Custom>) => void
  form: Pick<ApplicationForm, 'unread' | 'setUnread' | 'version'>
  /** What the server said of a field, by its path with dots. */
  problems: Readonly<Record<string, string>>
  isReadOnly: boolean
}

export function settingsOf(
  form: ApplicationForm,
  application: Application,
  isReadOnly: boolean,
): SettingsProps {
  const { change, problem } = form
  const { oidcClientMetadata, customClientMetadata } = application
  return {
    ...{ form, application, change, isReadOnly },
    problems: problem?.fields ?? {},
    setMetadata: (metadata) => change({ oidcClientMetadata: { ...oidcClientMetadata, ...metadata } }),
    setCustom: (metadata) => change({ customClientMetadata: { ...customClientMetadata, ...metadata } }),
  }
}

/** What is absent by default is removed when it is switched off. */
export const flag = (isOn: boolean): true | null => (isOn ? true : null)

/** An empty list that means "none given" is removed. */
export const listOrNull = (list: string[]): string[] | null => (list.length > 0 ? list : null)

export const textOrNull = (text: string): string | null => (text === '' ? null : text)

import type { EntityForm } from '../../api/entity-form.ts'
import { bindFields } from '../../ui/bound.ts'
import type { Application } from './application.ts'

export type ApplicationForm = EntityForm<Application>
type Metadata = Application['oidcClientMetadata']
type Custom = Application['customClientMetadata']

/** The props of the settings cards. */
export type SettingsProps = {
  application: Application
  change: ApplicationForm['change']
  setCustom: (metadata: Partial<Custom>) => void
  /** The props of the fields of the application and of its metadata. */
  fields: ReturnType<typeof bindFields<Application>>
  metadata: ReturnType<typeof bindFields<Metadata>>
  custom: ReturnType<typeof bindFields<Custom>>
  form: Pick<ApplicationForm, 'unread' | 'setUnread' | 'version'>
  /** The server's problem with each field, by dotted path. */
  problems: Readonly<Record<string, string>>
  isReadOnly: boolean
}

export function createSettingsProps(
  form: ApplicationForm,
  application: Application,
  isReadOnly: boolean,
): SettingsProps {
  const { change } = form
  const problems = form.problem?.fields ?? {}
  const { oidcClientMetadata, customClientMetadata } = application
  const setCustom = (metadata: Partial<Custom>) =>
    change({ customClientMetadata: { ...customClientMetadata, ...metadata } })
  const common = { problems, isDisabled: isReadOnly }
  return {
    form,
    application,
    change,
    isReadOnly,
    problems,
    setCustom,
    fields: bindFields({ ...common, value: application, change }),
    metadata: bindFields({
      ...common,
      value: oidcClientMetadata,
      path: 'oidcClientMetadata',
      change: (metadata) => change({ oidcClientMetadata: { ...oidcClientMetadata, ...metadata } }),
    }),
    custom: bindFields({
      ...common,
      value: customClientMetadata,
      path: 'customClientMetadata',
      change: setCustom,
    }),
  }
}

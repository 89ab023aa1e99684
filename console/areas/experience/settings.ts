import type { z } from 'zod'
import type { ConnectorSchema } from '../../../src/contract/connectors/connectors.schema.ts'
import type { SignInExperience } from '../../../src/contract/experience/experience.ts'
import type { EntityForm } from '../../api/entity-form.ts'
import type { PhraseTexts } from '../../api/phrase-texts.ts'
import { bindFields } from '../../ui/bound.ts'
import type { PageLanguage } from './languages-of-pages.ts'

export type Connector = z.infer<typeof ConnectorSchema>

/** A layout without a picture has no address of one, which somebody may have changed while another one chose the layout. */
export const normalizeLayout = ({ layout, ...others }: Partial<SignInExperience>) => ({
  ...others,
  ...(layout && { layout: layout.type === 'Split' ? layout : { type: layout.type } }),
})

/** What each part of the area changes. */
export type SettingsForm = {
  settings: SignInExperience
  change: EntityForm<SignInExperience>['change']
  /** What is wrong with a field, by its path. */
  problems: Readonly<Record<string, string>>
  isReadOnly: boolean
}

/** The props of fields of the settings themselves. */
export const bindSettings = ({ settings, change, problems, isReadOnly }: SettingsForm) =>
  bindFields({ value: settings, problems, isDisabled: isReadOnly, change })

type ObjectName = 'branding' | 'color' | 'languageInfo' | 'signUp'

/** The props of fields in one of the settings, which is an object. An upload ends while other fields may have been changed. */
export const bindSetting = <Name extends ObjectName>(
  { settings, change, problems, isReadOnly }: SettingsForm,
  name: Name,
) =>
  bindFields<SignInExperience[Name]>({
    value: settings[name],
    path: name,
    problems,
    isDisabled: isReadOnly,
    change: (changes) => change((now) => ({ [name]: { ...now[name], ...changes } })),
  })

/** The part with the texts has a second form: those of one language. */
export type PartProps = SettingsForm & {
  texts: EntityForm<PhraseTexts>
  pages: PageLanguage
  /** In the preview, if it has that page. */
  showPage: (path: string) => void
}

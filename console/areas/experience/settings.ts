import type { z } from 'zod'
import type { ConnectorSchema } from '../../../src/contract/connectors/connectors.schema.ts'
import type { SignInExperience } from '../../../src/contract/experience/experience.ts'
import type { EntityForm } from '../../api/entity-form.ts'
import type { PhraseTexts } from '../../api/phrase-texts.ts'
import { bindFields } from '../../ui/bound.ts'
import type { PageLanguage } from './languages-of-pages.ts'

export type Connector = z.infer<typeof ConnectorSchema>

/**
 * Removes the picture URL from a layout without a picture. Another administrator may have set the URL while this one
 * changed the layout.
 */
export const normalizeLayout = ({ layout, ...others }: Partial<SignInExperience>) => ({
  ...others,
  ...(layout && { layout: layout.type === 'Split' ? layout : { type: layout.type } }),
})

/** The props that each part of the area receives. */
export type SettingsForm = {
  settings: SignInExperience
  change: EntityForm<SignInExperience>['change']
  /** The problems of the fields, by path. */
  problems: Readonly<Record<string, string>>
  isReadOnly: boolean
}

/** Builds the props of the fields that edit top-level settings. */
export const bindSettings = ({ settings, change, problems, isReadOnly }: SettingsForm) =>
  bindFields({ value: settings, problems, isDisabled: isReadOnly, change })

type ObjectName = 'branding' | 'color' | 'languageInfo'

/**
 * Builds the props of the fields of one settings object. Each change is applied to the object's current value, because
 * other fields may have changed by the time an upload finishes.
 */
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

/** The part "Languages and phrases" has a second form, for the custom texts in one language. */
export type PartProps = SettingsForm & {
  texts: EntityForm<PhraseTexts>
  pages: PageLanguage
  /** Shows a page in the preview, if the page has a preview. */
  showPage: (path: string) => void
}

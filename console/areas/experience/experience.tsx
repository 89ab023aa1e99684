import './experience.css'
import { type ReactNode, useState } from 'react'
import { Route } from 'wouter'
import type { SignInExperience } from '../../../src/contract/experience/experience.ts'
import { phrasesAccess, phrasesPath } from '../../api/custom-phrases.ts'
import { type EntityForm, useEntityForm } from '../../api/entity-form.ts'
import { type PhraseTexts, unflatten } from '../../api/phrase-texts.ts'
import { useApi } from '../../api/queries.ts'
import { NotFound, Routes } from '../../not-found.tsx'
import { useLanguage, useT } from '../../phrases.ts'
import { useCan } from '../../session/permissions.tsx'
import { useFieldNames } from '../../ui/label-of.ts'
import { Loading, Page } from '../../ui/page.tsx'
import { SaveBar } from '../../ui/save-bar.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { useMediaQuery } from '../../ui/use-media.ts'
import { BrandSettings, brandPhrases } from './brand.tsx'
import { LanguageSettings, languagePhrases } from './languages.tsx'
import { usePageLanguages } from './languages-of-pages.ts'
import { texts } from './phrases.ts'
import { Preview, usePreviewLook } from './preview.tsx'
import { findScreen } from './preview-screens.ts'
import { PreviewSheet } from './preview-sheet.tsx'
import { type Connector, normalizeLayout, type PartProps } from './settings.ts'
import { SignInSettings, signInPhrases } from './sign-in.tsx'
import { signUpPhrases } from './sign-up.tsx'
import { TermsSettings, termsPhrases } from './terms.tsx'

const parts = {
  brand: { path: '/experience', Settings: BrandSettings },
  signIn: { path: '/experience/sign-in', Settings: SignInSettings },
  terms: { path: '/experience/terms', Settings: TermsSettings },
  languages: { path: '/experience/languages', Settings: LanguageSettings },
} satisfies Record<string, { path: string; Settings: (props: PartProps) => ReactNode }>
type Part = keyof typeof parts

/**
 * The settings of the sign-in experience next to a preview of the pages (spec/console#experience). The preview stays
 * mounted when the user switches to another part.
 */
export default function ExperienceArea() {
  return (
    <Routes>
      <Route path="/experience/:part?">
        {({ part: name }) => {
          const part = findPart(name)
          return part ? <ExperiencePage part={part} /> : <NotFound />
        }}
      </Route>
    </Routes>
  )
}

const findPart = (name = '') =>
  partNames.find((part) => parts[part].path === (name ? `/experience/${name}` : '/experience'))

const partNames = Object.keys(parts) as Part[]

function ExperiencePage({ part }: { part: Part }) {
  const form = useEntityForm<SignInExperience>('/sign-in-exp', { toPatch: normalizeLayout })
  return form.value ? (
    <Editing part={part} form={form} settings={form.value} />
  ) : (
    <Loading failure={form.failure} onRetry={form.retry} />
  )
}

type EditingProps = { part: Part; form: EntityForm<SignInExperience>; settings: SignInExperience }

function Editing({ part, form, settings }: EditingProps) {
  const t = useT(texts)
  const nameOf = useSettingNames()
  const mayWrite = useCan('experience:write')
  const mayReadConnectors = useCan('connectors:read')
  const connectors = useApi<Connector[]>('/connectors', { isEnabled: mayReadConnectors })
  const { fallbackLanguage } = settings.languageInfo
  const [chosen, onLanguage] = useState<string | null>(null)
  const languages = usePageLanguages(fallbackLanguage)
  const ownLanguage = useLanguage()
  const isOffered = languages.some(({ value }) => value === ownLanguage)
  const language = chosen ?? (isOffered ? ownLanguage : fallbackLanguage)
  const ownTexts = useEntityForm<PhraseTexts>(phrasesPath(language), { access: phrasesAccess(language) })
  const [look, onLookChange] = usePreviewLook()
  // This must equal the width in experience.css.
  const isBeside = useMediaQuery('(width >= 75rem)')
  const Settings: (props: PartProps) => ReactNode = parts[part].Settings
  const pages = { language, languages, onLanguage }
  // Wait for the custom phrases, because the first message must contain them. Otherwise, the page would fetch the
  // stored ones.
  const isWaiting = !ownTexts.value && !ownTexts.failure
  const previewData = isWaiting
    ? null
    : {
        settings,
        savedColor: form.stored?.color ?? settings.color,
        phrases: ownTexts.value ? unflatten(ownTexts.value) : null,
        connectors: connectors.data?.data ?? null,
      }
  const preview = { pages, previewData, look, onLookChange }
  return (
    <Page title={t('experience')} lead={t('lead')} isWide>
      <Tabs label={t('pages')} tabs={partNames.map((name) => ({ href: parts[name].path, title: t(name) }))} />
      <div className="experience">
        <div className="experience-settings">
          <Settings
            settings={settings}
            pages={pages}
            texts={ownTexts}
            showPage={(path) => onLookChange({ ...look, screen: findScreen(path) ?? look.screen })}
            change={form.change}
            problems={form.problem?.fields ?? {}}
            isReadOnly={!mayWrite}
          />
          <div className="save-bars">
            <SaveBar form={form} nameOf={nameOf} />
            <SaveBar
              form={ownTexts}
              nameOf={(key) => key}
              about={t('textsIn', {
                language: languages.find(({ value }) => value === language)?.label ?? language,
              })}
            />
            {!isBeside && <PreviewSheet {...preview} />}
          </div>
        </div>
        {isBeside && <Preview {...preview} />}
      </div>
    </Page>
  )
}

/** Returns the labels of the sign-in experience's fields, by path. */
function useSettingNames(): (path: string) => string {
  const t = useT(texts, signInPhrases, signUpPhrases)
  const inSignUp = (text: string) => `${t('signUp')}: ${text}`
  return useFieldNames([texts, brandPhrases, termsPhrases, languagePhrases], {
    branding: t('brand'),
    'branding.name': t('name'),
    signIn: t('signInMethods'),
    'signUp.identifiers': inSignUp(t('identifier')),
    'signUp.password': inSignUp(t('askPassword')),
    'signUp.verify': inSignUp(t('verify')),
    languageInfo: t('languages'),
  })
}

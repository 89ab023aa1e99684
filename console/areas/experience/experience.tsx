import './experience.css'
import type { ReactNode } from 'react'
import { Route } from 'wouter'
import type { SignInExperience } from '../../../src/contract/experience.ts'
import { useEntityForm } from '../../api/entity-form.ts'
import { useApi } from '../../api/queries.ts'
import { useT } from '../../phrases.ts'
import { useMay } from '../../session/permissions.tsx'
import { Loading, Page } from '../../ui/page.tsx'
import { SaveBar } from '../../ui/save-bar.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { BrandSettings } from './brand.tsx'
import { LanguageSettings } from './languages.tsx'
import { texts } from './phrases.ts'
import { Preview } from './preview.tsx'
import type { Connector, SettingsForm } from './settings.ts'
import { SignInSettings } from './sign-in.tsx'
import { TermsSettings } from './terms.tsx'

type Part = 'brand' | 'signIn' | 'terms' | 'languages'

const parts = {
  brand: BrandSettings,
  signIn: SignInSettings,
  terms: TermsSettings,
  languages: LanguageSettings,
} satisfies Record<Part, (form: SettingsForm) => ReactNode>
const addresses: Readonly<Record<Part, string>> = {
  brand: '/experience',
  signIn: '/experience/sign-in',
  terms: '/experience/terms',
  languages: '/experience/languages',
}

/** The settings beside a preview of the pages (spec/console#experience). The preview stays while the part changes. */
export default function ExperienceArea() {
  return <Route path="/experience/:part?">{({ part }) => <ExperiencePage part={partAt(part)} />}</Route>
}

const partAt = (name: string | undefined): Part =>
  partNames.find((part) => addresses[part] === `/experience/${name}`) ?? 'brand'

const partNames = Object.keys(addresses) as Part[]

function ExperiencePage({ part }: { part: Part }) {
  const t = useT(texts)
  const form = useEntityForm<SignInExperience>('/sign-in-exp')
  const mayWrite = useMay('experience:write')
  const mayReadConnectors = useMay('connectors:read')
  const connectors = useApi<Connector[]>('/connectors', { isEnabled: mayReadConnectors })
  const { value, problem } = form
  if (!value) return <Loading failure={form.failure} />
  const Settings = parts[part]
  return (
    <Page title={t('title')} lead={t('lead')} isWide>
      <Tabs label={t('pages')} tabs={partNames.map((name) => ({ href: addresses[name], title: t(name) }))} />
      <div className="experience">
        <div className="experience-settings">
          <Settings
            settings={value}
            change={form.change}
            problems={problem?.fields ?? {}}
            isReadOnly={!mayWrite}
          />
          <SaveBar form={form} nameOf={(field) => (isNamed(field) ? t(names[field]) : field)} />
        </div>
        <Preview settings={value} connectors={connectors.data?.data ?? null} />
      </div>
    </Page>
  )
}

/** What the fields of the entity are called here, for a conflict. */
const names = {
  branding: 'brand',
  color: 'color',
  layout: 'layout',
  customCss: 'customCss',
  customContent: 'customContent',
  signIn: 'signInMethods',
  signUp: 'signUp',
  signInMode: 'mode',
  socialSignInConnectorTargets: 'social',
  termsOfUseUrl: 'terms',
  privacyPolicyUrl: 'terms',
  agreeToTermsPolicy: 'terms',
  languageInfo: 'languages',
} as const satisfies Partial<
  Record<keyof SignInExperience, Parameters<ReturnType<typeof useT<keyof typeof texts.en>>>[0]>
>

const isNamed = (field: string): field is keyof typeof names => Object.hasOwn(names, field)

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
import { texts } from './phrases.ts'
import { Preview } from './preview.tsx'
import type { Connector, SettingsForm } from './settings.ts'

type Part = 'brand'

const parts = { brand: BrandSettings } satisfies Record<Part, (form: SettingsForm) => ReactNode>
const addresses: Readonly<Record<Part, string>> = { brand: '/experience' }

/** The settings beside a preview of the pages (spec/console#experience). The preview stays while the part changes. */
export default function ExperienceArea() {
  return <Route path="/experience/:part?">{({ part = 'brand' }) => <ExperiencePage part={part} />}</Route>
}

const isPart = (name: string): name is Part => Object.hasOwn(parts, name)

function ExperiencePage({ part }: { part: string }) {
  const t = useT(texts)
  const form = useEntityForm<SignInExperience>('/sign-in-exp')
  const mayWrite = useMay('experience:write')
  const mayReadConnectors = useMay('connectors:read')
  const connectors = useApi<Connector[]>('/connectors', { isEnabled: mayReadConnectors })
  const { value, problem } = form
  if (!value) return <Loading failure={form.failure} />
  const Settings = parts[isPart(part) ? part : 'brand']
  return (
    <Page title={t('title')} lead={t('lead')} isWide>
      <Tabs
        label={t('pages')}
        tabs={Object.entries(addresses).map(([name, href]) => ({ href, title: t(name as Part) }))}
      />
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

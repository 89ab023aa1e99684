import { type ComponentType, lazy, Suspense } from 'react'
import { Route } from 'wouter'
import { isOwnerSetting } from '../../../src/domain/access/protected-changes.ts'
import { Routes } from '../../not-found.tsx'
import { useT } from '../../phrases.ts'
import { useCan } from '../../session/permissions.tsx'
import { Loading, Page } from '../../ui/page.tsx'
import { SaveBar } from '../../ui/save-bar.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { AccountCentre } from './account-centre.tsx'
import { ClientSettings } from './clients.tsx'
import { useSettingNames } from './field-names.ts'
import { RateLimits } from './limits.tsx'
import { OrganizationSettings } from './organisations.tsx'
import { texts } from './phrases.ts'
import { AddressSettings } from './places.tsx'
import { Security } from './security.tsx'
import { createSettingsPart, type Settings, type SettingsPart, useSettingsForm } from './settings-form.ts'

const parts = [
  { path: '/settings', name: 'security', Part: Security },
  { path: '/settings/account-centre', name: 'accountCentre', Part: AccountCentre },
  { path: '/settings/limits', name: 'limits', Part: RateLimits },
  { path: '/settings/addresses', name: 'places', Part: AddressSettings },
  { path: '/settings/clients', name: 'clients', Part: ClientSettings },
  { path: '/settings/organizations', name: 'organizations', Part: OrganizationSettings },
] as const satisfies { path: string; name: string; Part: ComponentType<SettingsPart> }[]

const SigningKeys = lazy(() => import('./keys.tsx'))
const Deployment = lazy(() => import('./deployment.tsx'))

/** The pages of settings that don't use the shared form. */
const others = [
  { path: '/settings/keys', name: 'keys', Part: SigningKeys },
  { path: '/settings/deployment', name: 'deployment', Part: Deployment },
] as const

export default function SettingsArea() {
  const t = useT(texts)
  return (
    <Page title={t('settings')} lead={t('lead')}>
      <Tabs
        label={t('settings')}
        tabs={[...parts, ...others].map(({ path, name }) => ({ href: path, title: t(name) }))}
      />
      <Routes>
        {parts.map(({ path, Part }) => (
          <Route key={path} path={path}>
            <WithForm Part={Part} />
          </Route>
        ))}
        {others.map(({ path, Part }) => (
          <Route key={path} path={path}>
            <Suspense fallback={<Loading />}>
              <Part />
            </Suspense>
          </Route>
        ))}
      </Routes>
    </Page>
  )
}

/** All pages edit the same entity, so saving one includes the changes made on the others. */
function WithForm({ Part }: { Part: ComponentType<SettingsPart> }) {
  const form = useSettingsForm()
  const authority = useAuthority()
  const nameOf = useSettingNames()
  if (!form.value) return <Loading failure={form.failure} onRetry={form.retry} />
  return (
    <>
      <Part {...createSettingsPart(form, form.value, authority)} />
      <SaveBar form={form} nameOf={nameOf} />
    </>
  )
}

/** Determines which settings the user may change (spec/management#settings-authority). */
function useAuthority(): Pick<SettingsPart, 'mayWrite' | 'reason'> {
  const t = useT(texts)
  const [isWriter, isOwner] = [useCan('settings:write'), useCan('all')]
  const isOwnersOnly = (setting: keyof Settings) => isOwnerSetting(setting) && !isOwner
  return {
    mayWrite: (setting) => isWriter && !isOwnersOnly(setting),
    reason: (setting) => (isWriter && isOwnersOnly(setting) ? t('ownersOnly') : undefined),
  }
}

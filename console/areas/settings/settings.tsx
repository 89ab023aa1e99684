import type { ComponentType } from 'react'
import { Route } from 'wouter'
import { isOwnerSetting } from '../../../src/domain/access/protected-changes.ts'
import { Routes } from '../../not-found.tsx'
import { useT } from '../../phrases.ts'
import { useMay } from '../../session/permissions.tsx'
import { Loading, Page } from '../../ui/page.tsx'
import { SaveBar } from '../../ui/save-bar.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { AccountCentre } from './account-centre.tsx'
import { Clients } from './clients.tsx'
import { Deployment } from './deployment.tsx'
import { useSettingNames } from './field-names.ts'
import { Keys } from './keys.tsx'
import { Limits } from './limits.tsx'
import { texts } from './phrases.ts'
import { Places } from './places.tsx'
import { Security } from './security.tsx'
import { type Settings, type SettingsPart, settingsPart, useSettingsForm } from './settings-form.ts'

const parts = [
  { path: '/settings', name: 'security', Part: Security },
  { path: '/settings/account-centre', name: 'accountCentre', Part: AccountCentre },
  { path: '/settings/limits', name: 'limits', Part: Limits },
  { path: '/settings/addresses', name: 'places', Part: Places },
  { path: '/settings/clients', name: 'clients', Part: Clients },
] as const satisfies { path: string; name: string; Part: ComponentType<SettingsPart> }[]

/** They change nothing in the form that the others share. */
const others = [
  { path: '/settings/keys', name: 'keys', Part: Keys },
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
          <Route key={path} path={path} component={Part} />
        ))}
      </Routes>
    </Page>
  )
}

/** All parts change one entity: what was changed in one is saved with the others. */
function WithForm({ Part }: { Part: ComponentType<SettingsPart> }) {
  const form = useSettingsForm()
  const authority = useAuthority()
  const nameOf = useSettingNames()
  if (!form.value) return <Loading failure={form.failure} onRetry={form.retry} />
  return (
    <>
      <Part {...settingsPart(form, form.value, authority)} />
      <SaveBar form={form} nameOf={nameOf} />
    </>
  )
}

/** Over settings (spec/management#settings-authority). */
function useAuthority(): Pick<SettingsPart, 'mayWrite' | 'reason'> {
  const t = useT(texts)
  const [isWriter, isOwner] = [useMay('settings:write'), useMay('all')]
  const isKept = (setting: keyof Settings) => isOwnerSetting(setting) && !isOwner
  return {
    mayWrite: (setting) => isWriter && !isKept(setting),
    reason: (setting) => (isWriter && isKept(setting) ? t('ownersOnly') : undefined),
  }
}

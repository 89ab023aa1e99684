import { lazy, Suspense, useState } from 'react'
import { SECRET_PLACEHOLDER } from '../../../src/contract/connectors/connectors.ts'
import { useEntityForm } from '../../api/entity-form.ts'
import { useT } from '../../phrases.ts'
import { useCan, WithoutScope } from '../../session/permissions.tsx'
import { Copyable } from '../../ui/copy.tsx'
import { DeleteButton } from '../../ui/dialog-button.tsx'
import { Loading, Page } from '../../ui/page.tsx'
import { RequireStepUp } from '../../ui/step-up.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { type Application, newSecrets } from './application.ts'
import { ApplicationSettings } from './application-settings.tsx'
import { texts } from './phrases.ts'
import { NewSecret } from './secret-card.tsx'
import { TryIt } from './try-it.tsx'

const GuidePage = lazy(() => import('./guide-page.tsx'))

export function ApplicationPage({ id, part }: { id: string; part: 'guide' | undefined }) {
  const t = useT(texts)
  const path = `/applications/${id}`
  const form = useEntityForm<Application>(path, { merged: ['oidcClientMetadata', 'customClientMetadata'] })
  const mayWrite = useCan('applications:write')
  const isOwner = useCan('all')
  const [secret, setSecret] = useState(() => newSecrets.take(id))
  const { value, stored } = form
  if (!value || !stored) return <Loading failure={form.failure} onRetry={form.retry} />
  // The API withholds the secret from users who may not change the application, and from owners whose sign-in is too
  // old. Owners are asked to sign in when they change something (spec/management#withheld-secrets).
  const isAbove = stored.secret === SECRET_PLACEHOLDER && !isOwner
  return (
    <WithoutScope scope="applications:write" when={isAbove}>
      <Page
        title={stored.name}
        parent={{ href: '/applications', title: t('applications') }}
        actions={
          <>
            {stored.type !== 'MachineToMachine' && <TryIt application={stored} />}
            {mayWrite && !isAbove && (
              <DeleteButton
                title={t('deleteTitle', { name: stored.name })}
                lead={t('deleteLead')}
                confirmationText={stored.name}
                path={path}
                back="/applications"
                confirmation={t('deleted', { name: stored.name })}
              />
            )}
          </>
        }
      >
        <Copyable label={t('clientId')} value={id} />
        {mayWrite && isAbove && (
          <RequireStepUp>
            <p className="hint">{t('isAbove')}</p>
          </RequireStepUp>
        )}
        <Tabs
          label={stored.name}
          tabs={[
            { href: path, title: t('settings') },
            { href: `${path}/guide`, title: t('guide') },
          ]}
        />
        {part === 'guide' ? (
          <>
            {secret && <NewSecret secret={secret} />}
            <Suspense fallback={<Loading />}>
              <GuidePage application={stored} />
            </Suspense>
          </>
        ) : (
          <ApplicationSettings
            form={form}
            secret={secret}
            onSecret={setSecret}
            isReadOnly={!mayWrite || isAbove}
          />
        )}
      </Page>
    </WithoutScope>
  )
}

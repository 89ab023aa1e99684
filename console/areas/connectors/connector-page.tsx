import { lazy, Suspense, useEffect, useEffectEvent } from 'react'
import { useLocation, useSearch } from 'wouter'
import { retryFailed, useApi } from '../../api/queries.ts'
import { useT } from '../../phrases.ts'
import { useCan } from '../../session/permissions.tsx'
import { DeleteButton } from '../../ui/dialog-button.tsx'
import { Switch, TextField } from '../../ui/fields.tsx'
import { findLabel } from '../../ui/label-of.ts'
import { Card, Loading, Page } from '../../ui/page.tsx'
import { SaveBar } from '../../ui/save-bar.tsx'
import { type Connector, type Factory, newConnectors } from './config.ts'
import { ConfigFields } from './config-fields.tsx'
import { type ConnectorForm, useConnectorForm } from './connector-form.ts'
import { useCredentialCheck } from './credential-check.ts'
import { Credentials } from './credentials.tsx'
import { Guide } from './guide.tsx'
import { ProviderLogo, useConnectorName } from './mark.tsx'
import { SignInButtonCard, useSignInButton } from './offer.tsx'
import { texts } from './phrases.ts'
import { SentMessages } from './sent-messages.tsx'
import { SignInTest, useFragmentResponse } from './sign-in-test.tsx'
import { TryMessage } from './try-message.tsx'
import { useFactory } from './use-factory.ts'

const Templates = lazy(() => import('./templates.tsx'))
const TestResult = lazy(() => import('./test-result.tsx'))

/** The page of an installed connector: the results of its tests, and its settings next to its guide. */
export function ConnectorPage({ id }: { id: string }) {
  const t = useT(texts)
  const nameOf = useConnectorName()
  useFragmentResponse(id)
  const connector = useApi<Connector>(`/connectors/${id}`)
  const installed = connector.data?.data
  const factory = useFactory(installed?.connectorId)
  if (!installed || !factory.data)
    return <Loading failure={connector.error ?? factory.error} onRetry={retryFailed(connector, factory)} />
  return (
    <Page
      title={nameOf(installed)}
      parent={{ href: '/connectors', title: t('connectors') }}
      actions={<ProviderLogo {...installed} />}
      isWide
    >
      <Installed connector={installed} factory={factory.data.data} />
    </Page>
  )
}

function Installed({ connector, factory }: { connector: Connector; factory: Factory }) {
  const t = useT(texts)
  const name = useConnectorName()(connector)
  const mayWrite = useCan('connectors:write')
  const testId = new URLSearchParams(useSearch()).get('test')
  const { checked, check, show } = useCredentialCheck(connector.id)
  const [, navigate] = useLocation()
  const form = useConnectorForm({
    connector,
    items: factory.formItems,
    onStored() {
      // A test result only applies to the configuration that was stored during the test.
      if (testId !== null) navigate(`/connectors/${connector.id}`, { replace: true })
      void check()
    },
    onTyped: () => show(null),
  })
  const checkInstalled = useEffectEvent(() => {
    const installed = newConnectors.take(connector.id)
    if (installed?.checked) show(installed.checked)
    else if (installed) void check()
  })
  useEffect(() => checkInstalled(), [])
  const { fields } = form
  const signInButton = useSignInButton(connector)
  const nameOf = useFieldNames(factory)
  const isSocial = connector.type === 'Social'
  // Unsaved changes are no reason to hide the button, because sign-ins use the stored configuration.
  const canHide = signInButton?.isOffered && signInButton.mayWrite && !form.isConfigChanged
  return (
    <>
      {isSocial && mayWrite && testId !== null && (
        <Suspense>
          <TestResult
            key={testId}
            connector={connector}
            testId={testId}
            onCodeRejected={() => void check()}
          />
        </Suspense>
      )}
      {mayWrite && (
        <div className="beside">
          <Credentials
            checked={checked}
            onCheck={() => void fields.use(check)}
            onCorrect={fields.focus}
            onHide={canHide ? () => signInButton.setOffered(false) : null}
          />
          {isSocial ? (
            <SignInTest connector={connector} form={form} />
          ) : (
            <TryMessage factory={factory} withConfig={fields.use} />
          )}
        </div>
      )}
      {signInButton && <SignInButtonCard button={signInButton} />}
      <div className="beside guided">
        <ConnectorSettings form={form} factory={factory} isReadOnly={!mayWrite} />
        <Guide readme={factory.readme} callbackUrl={connector.callbackUrl} />
      </div>
      {factory.formItems.some(({ format }) => format === 'messageTemplates') && (
        <Suspense fallback={<Loading />}>
          <Templates factory={factory} form={form} isReadOnly={!mayWrite} />
        </Suspense>
      )}
      <SaveBar form={form} nameOf={nameOf} />
      {!isSocial && <SentMessages factory={factory} />}
      {mayWrite && (
        <div className="actions">
          <DeleteButton
            text={t('removeConnector')}
            title={t('removeConnector')}
            lead={t('removeLead')}
            confirmationText={name}
            path={`/connectors/${connector.id}`}
            back="/connectors"
            confirmation={t('removed')}
            alsoChanged={['/sign-in-exp']}
          />
        </div>
      )}
    </>
  )
}

type ConnectorSettingsProps = { form: ConnectorForm; factory: Factory; isReadOnly: boolean }

function ConnectorSettings({ form, factory, isReadOnly }: ConnectorSettingsProps) {
  const t = useT(texts)
  const nameOf = useConnectorName()
  const { value: connector } = form
  const { metadata } = connector
  const isSocial = connector.type === 'Social'
  return (
    <div id="settings">
      <Card title={t('settings')}>
        {isSocial && factory.isStandard === true && (
          <TextField
            label={t('name')}
            hint={t('nameHint')}
            value={metadata.name?.en ?? nameOf(connector)}
            isDisabled={isReadOnly}
            problem={form.problem?.fields['metadata.name']}
            onChange={(en) => form.change({ metadata: { ...metadata, name: { ...connector.name, en } } })}
          />
        )}
        <ConfigFields fields={form.fields} isDisabled={isReadOnly} lost={form.lostKeys} />
        {isSocial && (
          <Switch
            label={t('sync')}
            hint={t('syncHint')}
            isSelected={connector.syncProfile}
            isDisabled={isReadOnly}
            onChange={(syncProfile) => form.change({ syncProfile })}
          />
        )}
      </Card>
    </div>
  )
}

/**
 * Returns the labels of the fields. In the factory's error responses, the path of a field is only its key in the
 * configuration.
 */
function useFieldNames({ formItems }: Factory): (path: string) => string {
  const t = useT(texts)
  const labels = {
    ...Object.fromEntries(formItems.map(({ key, label }) => [key, label])),
    metadata: t('name'),
    syncProfile: t('sync'),
  }
  return (path) => findLabel(path.replace(/^config\./, ''), labels)
}

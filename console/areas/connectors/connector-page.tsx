import { useState } from 'react'
import { useLocation } from 'wouter'
import type { SignInExperience } from '../../../src/contract/experience.ts'
import { type Answer, call } from '../../api/client.ts'
import { queryClient, useApi, useChange } from '../../api/queries.ts'
import { useT } from '../../phrases.ts'
import { useMay } from '../../session/permissions.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Switch, TextField } from '../../ui/fields.tsx'
import { Card, Loading, Page } from '../../ui/page.tsx'
import { useNotify } from '../../ui/toast.tsx'
import { useWords } from '../../ui/words.ts'
import { Check } from './check.tsx'
import type { Connector, Factory } from './config.ts'
import { ConfigFields } from './config-fields.tsx'
import { Guide } from './guide.tsx'
import { Mark, useName } from './mark.tsx'
import { offerTarget } from './offer.ts'
import { texts } from './phrases.ts'
import { SentMessages } from './sent-messages.tsx'
import { TryMessage } from './try-message.tsx'
import { TrySocial } from './try-social.tsx'
import { useConfigForm } from './use-config-form.ts'

/** An installed connector: its settings, its test, its guide. */
export function ConnectorPage({ id }: { id: string }) {
  const t = useT(texts)
  const nameOf = useName()
  const mayWrite = useMay('connectors:write')
  const connector = useApi<Connector>(`/connectors/${id}`)
  const found = connector.data?.data
  const factory = useApi<Factory>(`/connector-factories/${found?.connectorId}`, { isEnabled: !!found })
  if (!connector.data || !factory.data) return <Loading failure={connector.error ?? factory.error} />
  const { data, etag } = connector.data
  return (
    <Page
      title={nameOf(data)}
      parent={{ href: '/connectors', title: t('title') }}
      actions={<Mark {...data} />}
    >
      {data.type === 'Social' && <Offer connector={data} />}
      <Settings key={etag} answer={connector.data} factory={factory.data.data} isReadOnly={!mayWrite} />
      <Guide readme={factory.data.data.readme} callbackUrl={data.callbackUrl} />
      {data.type !== 'Social' && <SentMessages factory={factory.data.data} />}
      {mayWrite && <Removal connector={data} />}
    </Page>
  )
}

/** Whether the sign-in page has the button; and a test, for which it must. */
function Offer({ connector }: { connector: Connector }) {
  const t = useT(texts)
  const words = useWords()
  const notify = useNotify()
  const mayRead = useMay('experience:read')
  const mayWrite = useMay('experience:write')
  const { data } = useApi<SignInExperience>('/sign-in-exp', { isEnabled: mayRead })
  if (!data) return null
  const { target } = connector
  const isOffered = data.data.socialSignInConnectorTargets.includes(target)
  const offer = (next: boolean) =>
    offerTarget(target, next)
      .then(() => notify.success(words('saved'), () => offerTarget(target, !next)))
      .catch(notify.failure)
  return (
    <>
      <Card>
        <Switch label={t('show')} isSelected={isOffered} isDisabled={!mayWrite} onChange={offer} />
      </Card>
      <TrySocial connector={connector} isOffered={isOffered} />
    </>
  )
}

type SettingsProps = { answer: Answer<Connector>; factory: Factory; isReadOnly: boolean }

function Settings({ answer: { data: connector, etag }, factory, isReadOnly }: SettingsProps) {
  const t = useT(texts)
  const words = useWords()
  const change = useChange()
  const notify = useNotify()
  const nameOf = useName()
  const form = useConfigForm(factory.formItems, connector.config)
  const [name, setName] = useState(nameOf(connector))
  const [syncProfile, setSync] = useState(connector.syncProfile)
  const isNamed = connector.type === 'Social' && factory.isStandard === true
  const save = async () => {
    const saved = await form.use((config) =>
      change(`/connectors/${connector.id}`, {
        method: 'PATCH',
        body: {
          config,
          ...(connector.type === 'Social' && { syncProfile }),
          ...(isNamed && { metadata: { ...connector.metadata, name: { ...connector.name, en: name } } }),
        },
        ifMatch: etag,
        invalidates: ['/connectors'],
      }),
    )
    if (saved) notify.success(words('saved'))
  }
  return (
    <>
      <Card title={t('settings')}>
        {isNamed && (
          <TextField
            label={t('name')}
            hint={t('nameHint')}
            value={name}
            isDisabled={isReadOnly}
            onChange={setName}
          />
        )}
        <ConfigFields
          items={factory.formItems}
          inputs={form.inputs}
          stored={connector.config}
          problems={form.problems}
          isDisabled={isReadOnly || form.isBusy}
          onChange={form.setInputs}
        />
        {connector.type === 'Social' && (
          <Switch
            label={t('sync')}
            hint={t('syncHint')}
            isSelected={syncProfile}
            isDisabled={isReadOnly}
            onChange={setSync}
          />
        )}
        {!isReadOnly && (
          <div className="actions">
            <Button kind="primary" isDisabled={form.isBusy} onPress={save}>
              {t('save')}
            </Button>
          </div>
        )}
      </Card>
      {!isReadOnly && <Check connectorId={connector.id} withConfig={form.use} />}
      {connector.type !== 'Social' && !isReadOnly && <TryMessage factory={factory} withConfig={form.use} />}
    </>
  )
}

function Removal({ connector }: { connector: Connector }) {
  const t = useT(texts)
  const nameOf = useName()
  const notify = useNotify()
  const [, navigate] = useLocation()
  const [isAsking, setAsking] = useState(false)
  const remove = async () => {
    try {
      await call(`/connectors/${connector.id}`, { method: 'DELETE' })
      // Read again when its own page, which is gone, is no longer shown.
      navigate('/connectors')
      await queryClient.invalidateQueries({ queryKey: ['/connectors'] })
      await queryClient.invalidateQueries({ queryKey: ['/sign-in-exp'] })
      notify.success(t('removed'))
    } catch (error) {
      notify.failure(error)
    }
  }
  return (
    <div className="actions">
      <Button kind="danger" onPress={() => setAsking(true)}>
        {t('remove')}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={t('remove')}
          lead={t('removeLead')}
          action={t('remove')}
          typed={nameOf(connector)}
          onConfirm={remove}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  )
}

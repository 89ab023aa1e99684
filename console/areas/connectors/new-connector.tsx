import { useState } from 'react'
import { useLocation } from 'wouter'
import { useApi, useChange } from '../../api/queries.ts'
import { useT } from '../../phrases.ts'
import { useMay } from '../../session/permissions.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox, TextField } from '../../ui/fields.tsx'
import { Card, Loading, Page } from '../../ui/page.tsx'
import { useNotify } from '../../ui/toast.tsx'
import { type Connector, type Factory, freeId } from './config.ts'
import { ConfigFields } from './config-fields.tsx'
import { Guide } from './guide.tsx'
import { Mark, useName } from './mark.tsx'
import { offerTarget } from './offer.ts'
import { texts } from './phrases.ts'
import { TryMessage } from './try-message.tsx'
import { useConfigForm } from './use-config-form.ts'

/** The guide of a provider, with the callback address of the connector to be, and the fields that it leads to. */
export function NewConnector({ factoryId }: { factoryId: string }) {
  const t = useT(texts)
  const nameOf = useName()
  const factory = useApi<Factory>(`/connector-factories/${factoryId}`)
  const connectors = useApi<Connector[]>('/connectors')
  if (!factory.data || !connectors.data) return <Loading failure={factory.error ?? connectors.error} />
  const { data } = factory.data
  const id = freeId(
    data.target,
    connectors.data.data.map((one) => one.id),
  )
  return (
    <Page
      title={t('setUp', { name: nameOf(data) })}
      parent={{ href: '/connectors', title: t('title') }}
      actions={<Mark {...data} />}
    >
      <Guide readme={data.readme} callbackUrl={data.callbackUrl?.replace('{id}', id) ?? null} />
      <NewConnectorForm key={id} factory={data} id={id} />
    </Page>
  )
}

function NewConnectorForm({ factory, id }: { factory: Factory; id: string }) {
  const t = useT(texts)
  const change = useChange()
  const notify = useNotify()
  const [, navigate] = useLocation()
  const mayOffer = useMay('experience:write') && factory.type === 'Social'
  const form = useConfigForm(factory.formItems, null)
  const [name, setName] = useState('')
  const [target, setTarget] = useState(id)
  const [isOffered, setOffered] = useState(true)
  const install = (config: Record<string, unknown>) =>
    change<Connector>('/connectors', {
      method: 'POST',
      body: {
        connectorId: factory.id,
        id,
        config,
        ...(factory.type === 'Social' && factory.isStandard && { metadata: { target, name: { en: name } } }),
      },
    })
  const submit = async () => {
    const made = await form.use(install)
    if (!made) return
    notify.success(t('done'))
    navigate(`/connectors/${made.data.id}`)
    if (mayOffer && isOffered) await offerTarget(made.data.target, true).catch(notify.failure)
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <Card title={t('settings')}>
        {factory.type === 'Social' && factory.isStandard && (
          <>
            <TextField
              label={t('name')}
              hint={t('nameHint')}
              isRequired
              value={name}
              problem={form.problems.metadata}
              onChange={setName}
            />
            <TextField
              label={t('target')}
              hint={t('targetHint')}
              isRequired
              isCode
              value={target}
              onChange={setTarget}
            />
          </>
        )}
        <ConfigFields
          items={factory.formItems}
          inputs={form.inputs}
          stored={null}
          problems={form.problems}
          isDisabled={form.isBusy}
          onChange={form.setInputs}
        />
        {mayOffer && <Checkbox label={t('show')} isSelected={isOffered} onChange={setOffered} />}
        <div className="actions">
          <Button kind="primary" type="submit" isDisabled={form.isBusy}>
            {t('install')}
          </Button>
        </div>
      </Card>
      {factory.type !== 'Social' && <TryMessage factory={factory} withConfig={form.use} />}
    </form>
  )
}

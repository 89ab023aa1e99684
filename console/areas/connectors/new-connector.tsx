import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useLocation } from 'wouter'
import { writeConfigValue } from '../../../src/domain/connectors/config-value.ts'
import { chooseConnectorId } from '../../../src/domain/connectors/connector-id.ts'
import { setDraft, useDraft } from '../../api/drafts.ts'
import { ApiProblem } from '../../api/problem.ts'
import { retryFailed, useApi, useChange } from '../../api/queries.ts'
import { useT } from '../../phrases.ts'
import { useCan } from '../../session/permissions.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox, TextField } from '../../ui/fields.tsx'
import { Card, Loading, Page } from '../../ui/page.tsx'
import { useNotify } from '../../ui/toast.tsx'
import {
  type Config,
  type Connector,
  defaultConfig,
  type Factory,
  findFaults,
  hasValue,
  newConnectors,
} from './config.ts'
import { ConfigFields } from './config-fields.tsx'
import { Guide } from './guide.tsx'
import { useInstallCheck } from './install-check.ts'
import { ProviderLogo, useConnectorName } from './mark.tsx'
import { saveOfferedTarget } from './offer.tsx'
import { texts } from './phrases.ts'
import { TryMessage } from './try-message.tsx'
import { useConfigFields } from './use-config-fields.ts'
import { useFactory } from './use-factory.ts'
import type { CheckResult } from './verdict.ts'

const FailedCheck = lazy(() => import('./failed-check.tsx'))
const InstallEffect = lazy(() => import('./install-effect.tsx'))

const FORM = 'settings'

/**
 * Shows the guide of a provider next to the fields to fill in, with the callback URL that the new connector will have.
 */
export default function NewConnector({ factoryId }: { factoryId: string }) {
  const t = useT(texts)
  const nameOf = useConnectorName()
  const factory = useFactory(factoryId)
  const connectors = useApi<Connector[]>('/connectors')
  if (!factory.data || !connectors.data)
    return <Loading failure={factory.error ?? connectors.error} onRetry={retryFailed(factory, connectors)} />
  const { data } = factory.data
  return (
    <Page
      title={t('setUp', { name: nameOf(data) })}
      parent={{ href: '/connectors', title: t('connectors') }}
      actions={<ProviderLogo {...data} />}
      isWide
    >
      <NewConnectorForm factory={data} installed={connectors.data.data} />
    </Page>
  )
}

type NewConnectorFormProps = { factory: Factory; installed: readonly Connector[] }

function NewConnectorForm({ factory, installed }: NewConnectorFormProps) {
  const t = useT(texts)
  const install = useInstallation()
  const check = useInstallCheck(factory)
  const client = useQueryClient()
  const mayOffer = useCan('experience:write') && factory.type === 'Social'
  const isNamed = factory.type === 'Social' && factory.isStandard === true
  const draft = useNewConnector(
    factory,
    installed.map((one) => one.id),
  )
  const { id, name, target, logo, isOffered } = draft
  const [refusal, setRefusal] = useState<ApiProblem | null>(null)
  const [wasSubmitted, setSubmitted] = useState(false)
  const fields = useConfigFields({
    items: factory.formItems,
    config: draft.config,
    stored: null,
    onChange: draft.changeConfig,
  })
  const missing = isNamed
    ? [...(name.trim() ? [] : [t('name')]), ...(target.trim() ? [] : [t('target')])]
    : []
  const submit = async () => {
    setRefusal(null)
    setSubmitted(true)
    // The problems of the other fields are shown, too.
    if (!fields.complete() || missing.length > 0) return
    if (await fields.use(check.passes)) await finish()
  }
  const finish = async () => {
    const body = {
      connectorId: factory.id,
      id,
      ...(isNamed && { metadata: buildMetadata({ name, target, logo }) }),
    }
    const isInstalled = await fields.use(async (config) => {
      try {
        return await install(
          { ...body, config },
          { isOffered: mayOffer && isOffered, checked: check.result() },
        )
      } catch (error) {
        if (error instanceof ApiProblem) {
          setRefusal(error)
          // Another administrator may have taken the id, so the next attempt gets another one.
          if (error.fields.id) {
            await client.invalidateQueries({ queryKey: ['/connectors'], exact: true })
            // The message beside the field says what to do, so a notification would only repeat it.
            return null
          }
        }
        throw error
      }
    })
    if (isInstalled) draft.discard()
  }
  const faults = findFaults(factory.formItems, draft.config)
  const needed = [
    ...missing,
    ...factory.formItems.filter(({ key }) => faults[key] === 'required').map(({ label }) => label),
  ]
  const requiredProblem = (value: string) => (wasSubmitted && !value.trim() ? t('required') : undefined)
  return (
    <>
      {factory.type !== 'Social' && (
        <Suspense>
          <InstallEffect factory={factory} installed={installed} />
        </Suspense>
      )}
      <div className="beside guided">
        <Guide readme={factory.readme} callbackUrl={factory.callbackUrl?.replace('{id}', id) ?? null} />
        <form
          id={FORM}
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            void submit()
          }}
        >
          <Card title={t('settings')}>
            {isNamed && (
              <>
                <TextField
                  label={t('name')}
                  hint={t('nameHint')}
                  isRequired
                  value={name}
                  problem={
                    refusal?.fields.metadata ?? refusal?.fields['metadata.name'] ?? requiredProblem(name)
                  }
                  onChange={(text) => draft.change({ name: text })}
                />
                <TextField
                  label={t('target')}
                  hint={t('targetHint')}
                  isRequired
                  isCode
                  value={target}
                  problem={
                    refusal?.fields['metadata.target'] ??
                    (refusal?.fields.id ? t('idTaken') : requiredProblem(target))
                  }
                  onChange={(text) => draft.change({ target: text })}
                />
                <TextField
                  label={t('logo')}
                  hint={t('logoHint')}
                  type="url"
                  value={logo}
                  problem={refusal?.fields['metadata.logo']}
                  onChange={(text) => draft.change({ logo: text })}
                />
              </>
            )}
            <ConfigFields fields={fields} isDisabled={false} lost={draft.lostKeys} />
            {mayOffer && (
              <Checkbox
                label={t('show')}
                isSelected={isOffered}
                onChange={(next) => draft.change({ isOffered: next })}
              />
            )}
          </Card>
        </form>
      </div>
      {factory.type !== 'Social' && <TryMessage factory={factory} withConfig={fields.use} />}
      {check.failed && (
        <Suspense>
          <FailedCheck verdict={check.failed} onInstall={finish} onClose={check.close} />
        </Suspense>
      )}
      <div className="save-bar">
        <span>
          {needed.length > 0 && <a href={`#${FORM}`}>{t('needed', { fields: needed.join(', ') })}</a>}
        </span>
        <div className="actions">
          {draft.isBegun && <Button onPress={draft.discard}>{t('discard')}</Button>}
          <Button kind="primary" type="submit" form={FORM} isDisabled={fields.isBusy}>
            {t('install')}
          </Button>
        </div>
      </div>
    </>
  )
}

type InstallationOptions = { isOffered: boolean; checked: CheckResult | null }

/**
 * Returns a function that installs the connector, adds its button to the sign-in page, and then opens the connector's
 * page, which checks the credentials unless they were checked before.
 */
function useInstallation() {
  const t = useT(texts)
  const nameOf = useConnectorName()
  const change = useChange()
  const notify = useNotify()
  const [, navigate] = useLocation()
  return async (body: object, { isOffered, checked }: InstallationOptions): Promise<Connector> => {
    const { data } = await change<Connector>('/connectors', { method: 'POST', body })
    const { id, target } = data
    if (isOffered) await saveOfferedTarget({ target, isOffered: true }).catch(notify.failure)
    newConnectors.put(id, { checked })
    navigate(`/connectors/${id}`)
    notify.success(t('done', { name: nameOf(data) }))
    return data
  }
}

/** The input for a connector that isn't installed yet, stored as a draft (spec/console#drafts). */
type NewConnectorDraft = {
  id: string
  connectorId: string
  config: Config
  metadata: object
  name: string
  target: string
  logo: string
  isOffered: boolean
}

const buildMetadata = ({ name, target, logo }: Pick<NewConnectorDraft, 'name' | 'target' | 'logo'>) => ({
  target,
  name: { en: name },
  ...(logo.trim() && { logo: logo.trim() }),
})

/** Keeps one draft per factory. `id` is the id that the connector will have once it is installed. */
function useNewConnector(factory: Factory, usedIds: readonly string[]) {
  const { id: connectorId, formItems, isStandard = false } = factory
  const idOf = (target: string) => chooseConnectorId(isStandard && target ? target : factory.target, usedIds)
  const path = `/connectors/new/${connectorId}`
  const draft = useDraft(path)
  const values = (draft?.changes ?? {}) as Partial<NewConnectorDraft>
  const { name = '', target = idOf(''), logo = '', isOffered = true } = values
  const config = { ...defaultConfig(formItems), ...values.config }
  const secrets = formItems.flatMap(({ key, isSecret }) => (isSecret ? [`config.${key}`] : []))

  function change(changes: Partial<NewConnectorDraft>) {
    const values = { name, target, logo, isOffered, config, ...changes }
    const metadata = values.name === '' ? {} : buildMetadata(values)
    const lost = (draft?.lost ?? []).filter((field) => !hasValue(values.config, toKey(field)))
    setDraft(path, {
      etag: null,
      changes: { id: idOf(values.target), connectorId, metadata, ...values },
      secrets,
      lost,
    })
  }

  return {
    id: idOf(target),
    name,
    target,
    logo,
    isOffered,
    config,
    isBegun: draft !== undefined,
    lostKeys: (draft?.lost ?? []).map(toKey),
    change,
    changeConfig: (key: string, value: unknown) => change({ config: writeConfigValue(config, key, value) }),
    discard: () => setDraft(path, null),
  }
}

/** Returns the key in the configuration for a field of the draft. */
const toKey = (field: string) => field.replace(/^config\./, '')

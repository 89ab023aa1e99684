import { lazy, Suspense, useState } from 'react'
import { type EntityForm, useEntityForm } from '../../api/entity-form.ts'
import { findProblem } from '../../api/problem.ts'
import { useChange } from '../../api/queries.ts'
import { useTypedText } from '../../api/typed-text.ts'
import { useT } from '../../phrases.ts'
import { useCan } from '../../session/permissions.tsx'
import { bindFields } from '../../ui/bound.ts'
import { ConfirmButton, DeleteButton } from '../../ui/dialog-button.tsx'
import { TextField } from '../../ui/fields.tsx'
import { useFieldNames } from '../../ui/label-of.ts'
import { Card, Loading, Page } from '../../ui/page.tsx'
import { SaveBar } from '../../ui/save-bar.tsx'
import { Deliveries } from './deliveries.tsx'
import { EventChoice } from './event-choice.tsx'
import { formatHeaders, parseHeaders } from './headers.ts'
import type { Hook } from './hook-list.tsx'
import { describeEvents } from './hook-name.ts'
import { HookTest } from './hook-test.tsx'
import { texts } from './phrases.ts'
import { SecretDialog } from './secret-dialog.tsx'
import { SentHookMessages } from './sent.tsx'
import { UrlField } from './url-field.tsx'

const Receiver = lazy(() => import('./receiver.tsx'))

export function HookPage({ id }: { id: string }) {
  const t = useT(texts)
  const nameOf = useFieldNames([texts], { 'config.url': t('address') })
  const path = `/hooks/${id}`
  const form = useEntityForm<Hook>(path, {
    merged: ['config'],
    // Headers may contain credentials for the operator's server.
    secrets: ['config.headers'],
    toPatch: withoutNull,
  })
  const mayWrite = useCan('hooks:write')
  const change = useChange()
  const [secret, setSecret] = useState<string | null>(null)
  const { value, stored } = form
  if (!value || !stored) return <Loading failure={form.failure} onRetry={form.retry} />
  const common = { problems: form.problem?.fields ?? {}, isDisabled: !mayWrite }
  const config = bindFields({
    ...common,
    value: value.config,
    path: 'config',
    change: (changes) => form.change({ config: { ...value.config, ...changes } }),
  })
  const rotate = async () => {
    const { data } = await change<{ secret: string }>(`${path}/secret`, { method: 'POST', invalidates: [] })
    setSecret(data.secret)
  }
  return (
    <Page
      title={describeEvents(stored.events)}
      parent={{ href: '/hooks', title: t('hooks') }}
      actions={
        mayWrite && (
          <>
            <ConfirmButton
              text={t('newSecret')}
              title={t('rotateTitle')}
              lead={t('rotateLead')}
              onConfirm={rotate}
            />
            <DeleteButton
              title={t('deleteTitle')}
              lead={t('deleteLead')}
              confirmationText={stored.event}
              path={path}
              back="/hooks"
            />
          </>
        )
      }
    >
      <Card>
        <UrlField {...config.text('url')} />
        <Headers form={form} isDisabled={!mayWrite} />
        <TextField label={t('config.retries')} hint={t('retriesHint')} {...config.number('retries')} />
      </Card>
      <Card title={t('events')} lead={t('eventsLead')}>
        <EventChoice
          value={value.events}
          problem={findProblem(common.problems, 'events')}
          isDisabled={!mayWrite}
          onChange={(events) => form.change({ events })}
        />
      </Card>
      <SaveBar form={form} nameOf={nameOf} />
      {mayWrite && <HookTest key={JSON.stringify(stored)} path={path} events={stored.events} />}
      <SentHookMessages key={stored.events.join()} hook={stored} mayWrite={mayWrite} />
      <Deliveries path={path} mayWrite={mayWrite} />
      <Suspense fallback={<Loading />}>
        <Receiver hook={stored} />
      </Suspense>
      {secret !== null && <SecretDialog secret={secret} onClose={() => setSecret(null)} />}
    </Page>
  )
}

/** To undo the addition of the first header, all headers must be removed, so null becomes an empty object. */
function withoutNull({ config, ...changes }: Partial<Hook>) {
  return config
    ? { ...changes, config: { ...config, ...(config.headers === null && { headers: {} }) } }
    : changes
}

/** Edits the headers of the request, such as the credentials that the operator's server expects. */
function Headers({ form, isDisabled }: { form: EntityForm<Hook>; isDisabled: boolean }) {
  const t = useT(texts)
  const config = form.value?.config
  const { text, isUnread, change } = useTypedText<Record<string, string>>({
    form,
    field: HEADERS,
    value: config?.headers ?? {},
    read: (typed) => parseHeaders(typed).headers,
    write: formatHeaders,
    onChange: (headers) => form.change(({ config }) => ({ config: { ...config, headers } })),
  })
  const isLost = form.lost.includes(HEADERS)
  const wrong = isUnread && t('headersWrong', { line: parseHeaders(text).invalidLine ?? '' })
  return (
    <TextField
      label={t('config.headers')}
      hint={isLost ? <span className="problem">{t('headersLost')}</span> : t('headersHint')}
      rows={Math.max(3, text.split('\n').length + 1)}
      isCode
      value={text}
      isDisabled={isDisabled}
      problem={wrong || findProblem(form.problem?.fields ?? {}, HEADERS)}
      onChange={change}
    />
  )
}

const HEADERS = 'config.headers'

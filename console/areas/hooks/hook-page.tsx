import { useState } from 'react'
import { hookEvents } from '../../../src/contract/hooks.ts'
import { isSame } from '../../api/changes.ts'
import { useEntityForm } from '../../api/entity-form.ts'
import { useChange } from '../../api/queries.ts'
import { useT } from '../../phrases.ts'
import { useMay } from '../../session/permissions.tsx'
import { Button } from '../../ui/button.tsx'
import { DeleteDialog } from '../../ui/delete-dialog.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { LinesField, Select, TextField } from '../../ui/fields.tsx'
import { Card, Loading, Page } from '../../ui/page.tsx'
import { SaveBar } from '../../ui/save-bar.tsx'
import { Deliveries } from './deliveries.tsx'
import { headerLines, readHeaders } from './headers.ts'
import type { Hook } from './hook-list.tsx'
import { HookTest } from './hook-test.tsx'
import { texts } from './phrases.ts'
import { SecretDialog } from './secret-dialog.tsx'
import { Sent } from './sent.tsx'

type Asked = 'deletion' | 'rotation' | { secret: string } | null

export function HookPage({ id }: { id: string }) {
  const t = useT(texts)
  const path = `/hooks/${id}`
  const form = useEntityForm<Hook>(path, {
    merged: ['config'],
    // Headers may be credentials of the receiver.
    secrets: ['config.headers'],
    toPatch: withoutNull,
  })
  const mayWrite = useMay('hooks:write')
  const change = useChange()
  const [asked, setAsked] = useState<Asked>(null)
  const { value, stored, problem } = form
  if (!value || !stored) return <Loading failure={form.failure} />
  const { config } = value
  const changeConfig = (given: Partial<Hook['config']>) => form.change({ config: { ...config, ...given } })
  const rotate = async () => {
    const { data } = await change<{ secret: string }>(`${path}/secret`, { method: 'POST', invalidates: [] })
    setAsked({ secret: data.secret })
  }
  return (
    <Page
      title={stored.event}
      parent={{ href: '/hooks', title: t('title') }}
      actions={
        mayWrite && (
          <>
            <Button onPress={() => setAsked('rotation')}>{t('rotate')}</Button>
            <Button kind="danger" onPress={() => setAsked('deletion')}>
              {t('delete')}
            </Button>
          </>
        )
      }
    >
      <Card>
        <Select
          label={t('event')}
          value={value.event}
          isDisabled={!mayWrite}
          options={hookEvents.map((event) => ({ value: event, label: event }))}
          onChange={(event) => form.change({ event })}
        />
        <TextField
          label={t('url')}
          hint={t('urlHint')}
          isCode
          type="url"
          value={config.url}
          isDisabled={!mayWrite}
          problem={problem?.fields['config.url']}
          onChange={(url) => changeConfig({ url })}
        />
        <Headers
          headers={config.headers}
          isLost={form.lost.includes('config.headers')}
          isDisabled={!mayWrite}
          problem={problem?.fields['config.headers']}
          onChange={(headers) => changeConfig({ headers })}
        />
        <TextField
          label={t('retries')}
          hint={t('retriesHint')}
          type="number"
          value={String(config.retries)}
          isDisabled={!mayWrite}
          problem={problem?.fields['config.retries']}
          onChange={(retries) => changeConfig({ retries: Number(retries) })}
        />
      </Card>
      <SaveBar form={form} nameOf={(field) => (isNamed(field) ? t(names[field]) : field)} />
      {mayWrite && <HookTest path={path} />}
      <Sent key={stored.event} hook={stored} mayWrite={mayWrite} />
      <Deliveries path={path} mayWrite={mayWrite} />
      {asked === 'deletion' && (
        <DeleteDialog
          title={t('deleteTitle')}
          lead={t('deleteLead')}
          path={path}
          list="/hooks"
          back="/hooks"
          onClose={() => setAsked(null)}
        />
      )}
      {asked === 'rotation' && (
        <ConfirmDialog
          title={t('rotateTitle')}
          lead={t('rotateLead')}
          action={t('rotate')}
          onClose={() => setAsked((now) => (now === 'rotation' ? null : now))}
          onConfirm={rotate}
        />
      )}
      {asked !== null && typeof asked === 'object' && (
        <SecretDialog secret={asked.secret} onClose={() => setAsked(null)} />
      )}
    </Page>
  )
}

/** What the fields are called here, for a conflict. */
const names = {
  event: 'event',
  'config.url': 'url',
  'config.headers': 'headers',
  'config.retries': 'retries',
} as const

const isNamed = (field: string): field is keyof typeof names => Object.hasOwn(names, field)

/** To take back the first headers is to have none. */
function withoutNull({ config, ...changes }: Partial<Hook>) {
  return config
    ? { ...changes, config: { ...config, ...(config.headers === null && { headers: {} }) } }
    : changes
}

/** Keeps the lines as they are typed, as long as they stand for the headers; only what can be read becomes a change. */
function Headers({
  headers,
  isLost,
  problem,
  isDisabled,
  onChange,
}: {
  headers: Record<string, string> | undefined
  /** They were changed before a reload, which they did not survive. */
  isLost: boolean
  problem: string | undefined
  isDisabled: boolean
  onChange: (headers: Record<string, string>) => void
}) {
  const t = useT(texts)
  const [typed, setTyped] = useState(() => headerLines(headers))
  const ofTyped = readHeaders(typed)
  const isOwn = 'wrong' in ofTyped || isSame(ofTyped.headers, headers ?? {})
  const lines = isOwn ? typed : headerLines(headers)
  const read = readHeaders(lines)
  return (
    <LinesField
      label={t('headers')}
      hint={isLost ? <span className="problem">{t('headersLost')}</span> : t('headersHint')}
      isCode
      value={lines}
      isDisabled={isDisabled}
      problem={'wrong' in read ? t('headersWrong', { line: read.wrong }) : problem}
      onChange={(next) => {
        setTyped(next)
        const now = readHeaders(next)
        if ('headers' in now) onChange(now.headers)
      }}
    />
  )
}

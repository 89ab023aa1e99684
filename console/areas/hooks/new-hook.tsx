import { useState } from 'react'
import { useLocation } from 'wouter'
import type { HookEvent } from '../../../src/contract/hooks/hooks.ts'
import { useChange } from '../../api/queries.ts'
import { useT } from '../../phrases.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogForm } from '../../ui/dialog-form.tsx'
import { EventChoice } from './event-choice.tsx'
import { texts } from './phrases.ts'
import { SecretDialog } from './secret-dialog.tsx'
import { UrlField } from './url-field.tsx'

const fieldNames = ['config.url', 'events']

export function NewHook({ onClose }: { onClose: () => void }) {
  const t = useT(texts)
  const change = useChange()
  const [, go] = useLocation()
  const [url, setUrl] = useState('')
  const [events, setEvents] = useState<HookEvent[]>([])
  const [created, setCreated] = useState<{ id: string; secret: string } | null>(null)
  if (created) return <SecretDialog secret={created.secret} onClose={() => go(`/hooks/${created.id}`)} />
  const create = async () => {
    const body = { events, config: { url, retries: 3 } }
    const { data } = await change<{ id: string; secret: string }>('/hooks', { method: 'POST', body })
    setCreated(data)
  }
  return (
    <Dialog title={t('newHook')} onClose={onClose}>
      <DialogForm action={t('create')} fields={fieldNames} onSubmit={create} onClose={onClose}>
        {(problems) => (
          <>
            <UrlField value={url} problem={problems['config.url']} onChange={setUrl} />
            <EventChoice value={events} problem={problems.events} onChange={setEvents} />
          </>
        )}
      </DialogForm>
    </Dialog>
  )
}

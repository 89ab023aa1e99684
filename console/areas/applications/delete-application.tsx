import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { call } from '../../api/client.ts'
import { setDraft } from '../../api/drafts.ts'
import { useT } from '../../phrases.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { useNotify } from '../../ui/toast.tsx'
import type { Application } from './application.ts'
import { deletionTexts } from './phrases.ts'

export function DeleteApplication({ application: { id, name } }: { application: Application }) {
  const t = useT(deletionTexts)
  const client = useQueryClient()
  const notify = useNotify()
  const [, navigate] = useLocation()
  const [isAsking, setAsking] = useState(false)
  const path = `/applications/${id}`
  const remove = async () => {
    try {
      await call(path, { method: 'DELETE' })
      setDraft(path, null)
      navigate('/applications')
      client.removeQueries({ queryKey: [path] })
      await client.invalidateQueries({ queryKey: ['/applications'] })
      notify.success(t('deleted', { name }))
    } catch (failure) {
      notify.failure(failure)
    }
  }
  return (
    <>
      <Button kind="danger" onPress={() => setAsking(true)}>
        {t('action')}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={t('title', { name })}
          lead={t('lead')}
          action={t('action')}
          typed={name.trim()}
          onConfirm={remove}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}

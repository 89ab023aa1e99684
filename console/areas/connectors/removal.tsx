import { useState } from 'react'
import { useLocation } from 'wouter'
import { call } from '../../api/client.ts'
import { queryClient } from '../../api/queries.ts'
import { useT } from '../../phrases.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { useNotify } from '../../ui/toast.tsx'
import type { Connector } from './config.ts'
import { useName } from './mark.tsx'
import { texts } from './phrases.ts'

export function Removal({ connector, onRemoved }: { connector: Connector; onRemoved: () => void }) {
  const t = useT(texts)
  const nameOf = useName()
  const notify = useNotify()
  const [, navigate] = useLocation()
  const [isAsking, setAsking] = useState(false)
  const remove = async () => {
    try {
      await call(`/connectors/${connector.id}`, { method: 'DELETE' })
      onRemoved()
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

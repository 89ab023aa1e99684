import { useState } from 'react'
import { useT } from '../../phrases.ts'
import { Button } from '../../ui/button.tsx'
import { DeleteDialog } from '../../ui/delete-dialog.tsx'
import type { Connector } from './config.ts'
import { useName } from './mark.tsx'
import { texts } from './phrases.ts'

export function Removal({ connector }: { connector: Connector }) {
  const t = useT(texts)
  const nameOf = useName()
  const [isAsking, setAsking] = useState(false)
  return (
    <div className="actions">
      <Button kind="danger" onPress={() => setAsking(true)}>
        {t('remove')}
      </Button>
      {isAsking && (
        <DeleteDialog
          title={t('remove')}
          lead={t('removeLead')}
          action={t('remove')}
          typed={nameOf(connector)}
          path={`/connectors/${connector.id}`}
          list="/connectors"
          back="/connectors"
          said={t('removed')}
          alsoChanged={['/sign-in-exp']}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  )
}

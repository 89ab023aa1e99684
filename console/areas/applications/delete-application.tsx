import { useState } from 'react'
import { useT } from '../../phrases.ts'
import { Button } from '../../ui/button.tsx'
import { DeleteDialog } from '../../ui/delete-dialog.tsx'
import type { Application } from './application.ts'
import { deletionTexts } from './phrases.ts'

export function DeleteApplication({ application: { id, name } }: { application: Application }) {
  const t = useT(deletionTexts)
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Button kind="danger" onPress={() => setAsking(true)}>
        {t('delete')}
      </Button>
      {isAsking && (
        <DeleteDialog
          title={t('title', { name })}
          lead={t('lead')}
          typed={name}
          path={`/applications/${id}`}
          list="/applications"
          back="/applications"
          said={t('deleted', { name })}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}

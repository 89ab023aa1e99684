import { useQuery } from '@tanstack/react-query'
import type { CurrentState } from '../../../operator/config/current-state.ts'
import { fingerprint } from '../../../operator/config/fingerprint.ts'
import { useChange } from '../../api/queries.ts'
import { MANAGED_PATH, useManagedByCode } from '../../managed-by-code.tsx'
import { phrases, useFormats, useT } from '../../phrases.ts'
import { useMay } from '../../session/permissions.tsx'
import { ConfirmButton } from '../../ui/dialog-button.tsx'
import { Card } from '../../ui/page.tsx'
import { useNotify } from '../../ui/toast.tsx'

const texts = phrases({
  en: {
    title: 'Managed by code',
    applied: 'Last applied: {time}. Sections of the file: {sections}.',
    same: 'Nothing of them has changed since.',
    drifted: 'Settings have changed since: plan and apply, or take the change into the file.',
    driftLead:
      'Compare with “npm run config -- plan”, or with the file below. After an update of the server they may differ only by a new setting; the next apply takes note of it.',
    end: 'Not managed by code any more',
    endLead:
      'The console no longer says that this tenant is managed by code. No setting changes, and the next apply says it again.',
    ended: 'This tenant is no longer said to be managed by code.',
  },
  de: {
    title: 'Durch Code verwaltet',
    applied: 'Zuletzt angewendet: {time}. Abschnitte der Datei: {sections}.',
    same: 'Seitdem hat sich daran nichts geändert.',
    drifted:
      'Seitdem wurden Einstellungen geändert: Vergleichen Sie und wenden Sie die Datei an, oder übernehmen Sie die Änderung in die Datei.',
    driftLead:
      'Vergleichen Sie mit „npm run config -- plan“ oder mit der Datei unten. Nach einem Update des Servers kann es allein an einer neuen Einstellung liegen; das nächste Anwenden berücksichtigt sie.',
    end: 'Nicht mehr durch Code verwaltet',
    endLead:
      'Die Konsole meldet dann nicht mehr, dass dieser Mandant durch Code verwaltet wird. Keine Einstellung ändert sich, und nach dem nächsten Anwenden meldet sie es wieder.',
    ended: 'Dieser Mandant gilt nicht mehr als durch Code verwaltet.',
  },
})

type Props = {
  read: Pick<CurrentState, 'state' | 'factories'>
  /** When it was read. */
  readAt: number
}

/** What is managed by code, and whether it is as it was after the last apply (spec/console#managed-by-code). */
export function ManagedCard({ read, readAt }: Props) {
  const t = useT(texts)
  const { time } = useFormats()
  const change = useChange()
  const notify = useNotify()
  const mayWrite = useMay('settings:write')
  const mark = useManagedByCode()
  const { data: present } = useQuery({
    queryKey: ['as-code', 'fingerprint', mark?.sections, readAt],
    queryFn: () => fingerprint(read, mark?.sections ?? []),
    staleTime: Number.POSITIVE_INFINITY,
    enabled: mark !== null,
  })
  if (!mark) return null
  const end = async () => {
    await change(MANAGED_PATH, { method: 'DELETE' })
    notify.success(t('ended'))
  }
  return (
    <Card
      title={t('title')}
      lead={t('applied', { time: time(mark.appliedAt), sections: mark.sections.join(', ') })}
      actions={mayWrite && <ConfirmButton text={t('end')} lead={t('endLead')} onConfirm={end} />}
    >
      {present === mark.fingerprint && <p role="status">{t('same')}</p>}
      {present !== undefined && present !== mark.fingerprint && (
        <div className="alert" role="status">
          <p>
            <strong>{t('drifted')}</strong>
          </p>
          <p>{t('driftLead')}</p>
        </div>
      )}
    </Card>
  )
}

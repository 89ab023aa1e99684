import { useQuery } from '@tanstack/react-query'
import type { CurrentState } from '../../../operator/config/current-state.ts'
import { computeFingerprint } from '../../../operator/config/fingerprint.ts'
import { useChange } from '../../api/queries.ts'
import { MANAGED_PATH, useManagedByCode } from '../../managed-by-code.tsx'
import { phrases, useFormats, useT } from '../../phrases.ts'
import { useCan } from '../../session/permissions.tsx'
import { ConfirmButton } from '../../ui/dialog-button.tsx'
import { Card } from '../../ui/page.tsx'
import { useNotify } from '../../ui/toast.tsx'

const texts = phrases({
  en: {
    title: 'Managed by code',
    applied: 'Last applied: {time}. Sections in the file: {sections}.',
    same: 'These settings haven’t changed since then.',
    drifted:
      'Settings have changed since then. Run plan and apply to restore the settings in the file, or add the changes to the file.',
    driftLead:
      'Compare with “npm run config -- plan”, or with the file below. After a server update, the only difference may be a new setting; the next apply records it.',
    end: 'Stop managing by code',
    endLead:
      'The console will no longer mark this tenant as managed by code. This doesn’t change any settings. The next apply marks it again.',
    ended: 'This tenant is no longer marked as managed by code',
  },
  de: {
    title: 'Durch Code verwaltet',
    applied: 'Zuletzt angewendet: {time}. Abschnitte der Datei: {sections}.',
    same: 'Keine dieser Einstellungen hat sich seitdem geändert.',
    drifted:
      'Seitdem wurden Einstellungen geändert. Vergleichen Sie und wenden Sie die Datei an, oder übernehmen Sie die Änderungen in die Datei.',
    driftLead:
      'Vergleichen Sie mit „npm run config -- plan“ oder mit der Datei unten. Nach einem Update des Servers kann es allein an einer neuen Einstellung liegen; das nächste Anwenden berücksichtigt sie.',
    end: 'Nicht mehr durch Code verwalten',
    endLead:
      'Die Konsole meldet dann nicht mehr, dass dieser Mandant durch Code verwaltet wird. Keine Einstellung ändert sich. Nach dem nächsten Anwenden meldet sie es wieder.',
    ended: 'Dieser Mandant gilt nicht mehr als durch Code verwaltet',
  },
})

type Props = {
  tenant: Pick<CurrentState, 'state' | 'factories'>
  /** The time when the state was read, in epoch milliseconds. */
  readAt: number
}

/**
 * Shows which sections are managed by code, and whether they have changed since the last apply
 * (spec/console#managed-by-code).
 */
export function ManagedCard({ tenant, readAt }: Props) {
  const t = useT(texts)
  const { time } = useFormats()
  const change = useChange()
  const notify = useNotify()
  const mayWrite = useCan('settings:write')
  const mark = useManagedByCode()
  const { data: present } = useQuery({
    queryKey: ['as-code', 'fingerprint', mark?.sections, readAt],
    queryFn: () => computeFingerprint(tenant, mark?.sections ?? []),
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

import { useT } from '../../phrases.ts'
import { Copyable } from '../../ui/copy.tsx'
import { OneTimeDialog } from '../../ui/once-dialog.tsx'
import { texts } from './phrases.ts'

/** Shows the secret of a webhook. The API returns it only once. */
export function SecretDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  const t = useT(texts)
  return (
    <OneTimeDialog title={t('secretTitle')} close="done" onClose={onClose}>
      <p>{t('secretLead')}</p>
      <Copyable label={t('secret')} value={secret} isBlock />
    </OneTimeDialog>
  )
}

import { useT } from '../../phrases.ts'
import { Copyable } from '../../ui/copy.tsx'
import { OnceDialog } from '../../ui/once-dialog.tsx'
import { texts } from './phrases.ts'

/** The API answers a secret once. */
export function SecretDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  const t = useT(texts)
  return (
    <OnceDialog title={t('secretTitle')} close="done" onClose={onClose}>
      <p>{t('secretLead')}</p>
      <Copyable label={t('secret')} value={secret} isBlock />
    </OnceDialog>
  )
}

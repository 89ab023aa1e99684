import { useT } from '../../phrases.ts'
import { CloseOnce } from '../../ui/close-once.tsx'
import { Copyable } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { texts } from './phrases.ts'

/** The API answers a secret once. */
export function SecretDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  const t = useT(texts)
  return (
    <Dialog title={t('secretTitle')} isOnce onClose={onClose}>
      <p>{t('secretLead')}</p>
      <Copyable label={t('secret')} value={secret} isBlock />
      <div className="actions">
        <CloseOnce onClose={onClose} text={t('done')} />
      </div>
    </Dialog>
  )
}

import { useT } from '../app/boot.tsx'
import { EmptyFrame } from '../layout/empty-frame.tsx'

/** For visitors who came with nothing (decision 6, contract 10.4). */
export default function UnknownSessionPage() {
  const t = useT()
  return (
    <EmptyFrame
      title={t('description.not_found')}
      messages={[t('error.invalid_session'), t('vestibule.unknown_session_message')]}
    />
  )
}

import { useT } from '../app/boot.tsx'
import { EmptyFrame } from '../layout/empty-frame.tsx'

/** For a browser without an interaction (spec/pages#unknown-session). */
export default function UnknownSessionPage() {
  const t = useT()
  return (
    <EmptyFrame
      title={t('description.not_found')}
      messages={[t('error.invalid_session'), t('vestibule.unknown_session_message')]}
    />
  )
}

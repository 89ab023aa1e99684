import { useBoot, useT } from '../context/boot.tsx'
import { EmptyFrame } from '../layout/empty-frame.tsx'
import { StartAgainLink } from './error.tsx'
import '../styles/endings.css'

/** Shown in a browser without an interaction (spec/pages#unknown-session). */
export default function UnknownSessionPage() {
  const { restartUrl } = useBoot()
  const t = useT()
  const reason = t('vestibule.unknown_session_reason')
  return (
    <EmptyFrame
      kind="expired"
      title={t('vestibule.unknown_session_title')}
      // A user who can start again here is not sent to the application.
      messages={restartUrl ? [reason] : [reason, t('vestibule.unknown_session_message')]}
    >
      <StartAgainLink />
    </EmptyFrame>
  )
}

import { useBoot, useT } from '../context/boot.tsx'
import { AccountButton } from '../layout/account-button.tsx'
import { EmptyFrame } from '../layout/empty-frame.tsx'
import { StartAgainLink } from './error.tsx'
import '../styles/endings.css'

/** The page shown in a browser that has no interaction (spec/pages#unknown-session). */
export default function UnknownSessionPage() {
  const { restartUrl } = useBoot()
  const t = useT()
  const messages = [t('error.invalid_session'), t('vestibule.unknown_session_reason')]
  return (
    <EmptyFrame
      kind="expired"
      title={t('vestibule.unknown_session_title')}
      // Users who can start again here need no link back to the application.
      messages={restartUrl ? messages : [...messages, t('vestibule.unknown_session_message')]}
    >
      {restartUrl ? <StartAgainLink /> : <AccountButton />}
    </EmptyFrame>
  )
}

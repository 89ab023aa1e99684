import { useT } from '../app/boot.tsx'
import { EmptyFrame } from '../layout/empty-frame.tsx'
import { StartAgainLink } from './error.tsx'

/** For a browser without an interaction (spec/pages#unknown-session). */
export default function UnknownSessionPage() {
  const t = useT()
  return (
    <EmptyFrame
      title={t('vestibule.unknown_session_title')}
      messages={[t('vestibule.unknown_session_reason'), t('vestibule.unknown_session_message')]}
    >
      <StartAgainLink />
    </EmptyFrame>
  )
}

import { useT } from '../context/boot.tsx'
import { EmptyFrame } from '../layout/empty-frame.tsx'
import '../styles/endings.css'

/** Shown if an app has stored its link in this browser, but opens the provider itself (spec/pages#landing). */
export default function SpringboardPage() {
  const t = useT()
  return (
    <EmptyFrame
      kind="done"
      title={t('vestibule.return_to_app')}
      messages={[t('vestibule.still_signed_in_message')]}
    />
  )
}

import { useT } from '../boot.tsx'
import { EmptyFrame } from '../empty-frame.tsx'

/** Where those stay who did not want to sign out. */
export function LogoutDeclinedPage() {
  const t = useT()
  return (
    <EmptyFrame
      title={t('vestibule.still_signed_in_title')}
      messages={[t('vestibule.still_signed_in_message')]}
    />
  )
}

import { useT } from '../context/boot.tsx'
import { EmptyFrame } from '../layout/empty-frame.tsx'
import { ButtonLink } from '../ui/button.tsx'

/** For a redirect to an app of the device: the app has opened by now, and this page stays behind. */
export function ExternalRedirectPage({ url }: { url: string }) {
  const t = useT()
  return (
    <EmptyFrame
      kind="done"
      title={t('vestibule.consent_title')}
      messages={[t('vestibule.handed_over_message')]}
    >
      <ButtonLink href={url}>{t('action.continue')}</ButtonLink>
    </EmptyFrame>
  )
}

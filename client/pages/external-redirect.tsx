import { useT } from '../app/boot.tsx'
import { EmptyFrame } from '../layout/empty-frame.tsx'
import { ButtonLink } from '../ui/button.tsx'

/** For those whose application is an app of the system: it has opened by now, and this page is left over. */
export function ExternalRedirectPage({ url }: { url: string }) {
  const t = useT()
  return (
    <EmptyFrame title={t('vestibule.consent_title')} messages={[t('vestibule.handed_over_message')]}>
      <ButtonLink href={url}>{t('action.continue')}</ButtonLink>
    </EmptyFrame>
  )
}

import type { BootData } from '../../src/contract/interactions/boot.ts'
import { useBoot, useT } from '../context/boot.tsx'
import { endsInteraction, isExpiredLink } from '../context/boot-error.ts'
import { FormProblem } from '../forms/form-problem.tsx'
import { EmptyFrame } from '../layout/empty-frame.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { SupportLink } from '../ui/support-link.tsx'

type PageError = NonNullable<BootData['error']>

/** Shows an error that has no page of its own, including errors of the OpenID Provider (spec/pages#error-pages). */
export function ErrorPage({ error }: { error: PageError }) {
  const t = useT()
  const { code, message, description } = error
  // An ended interaction is not an error that users need to report (spec/pages#start-again).
  if (endsInteraction(error)) return <StartAgain message={message} />
  // These users do not come from an app, and asking for another link is all that they can do.
  if (isExpiredLink(error))
    return (
      <EmptyFrame
        kind="expired"
        title={t('vestibule.expired_title')}
        messages={[message]}
        detail={description}
      />
    )
  return (
    <EmptyFrame
      kind="failed"
      title={t('vestibule.error_title')}
      messages={[message, t('vestibule.error_message')]}
      detail={t('vestibule.error_code', { code: description ? `${code} (${description})` : code })}
    >
      <StartAgainLink />
      <SupportLink className="button button-quiet" />
    </EmptyFrame>
  )
}

/** Explains that the interaction is over and offers to start again (spec/pages#start-again). */
export function StartAgain({ message }: { message: string }) {
  const { restartUrl } = useBoot()
  const t = useT()
  return (
    <EmptyFrame
      kind="expired"
      title={t('vestibule.expired_title')}
      // Users who can start again here need no link back to the application.
      messages={
        restartUrl ? [t('vestibule.expired_or_completed')] : [message, t('vestibule.expired_message')]
      }
    >
      <StartAgainLink />
    </EmptyFrame>
  )
}

/** The page shown if the navigation state that a page needs is missing (spec/pages#error-pages). */
export function NavigationMissing() {
  const t = useT()
  return (
    <EmptyFrame
      kind="expired"
      title={t('vestibule.expired_title')}
      messages={[t('error.invalid_session')]}
      hasBackBar
    >
      <FormProblem />
    </EmptyFrame>
  )
}

/** Links to a new sign-in. Renders nothing if the URL for it is unknown. */
export function StartAgainLink() {
  const { restartUrl } = useBoot()
  const t = useT()
  return restartUrl && <ButtonLink href={restartUrl}>{t('vestibule.start_again')}</ButtonLink>
}

import type { BootData } from '../../src/contract/interactions/boot.ts'
import { useBoot, useT } from '../context/boot.tsx'
import { endsInteraction } from '../context/ending.ts'
import { EmptyFrame } from '../layout/empty-frame.tsx'
import { ButtonLink } from '../ui/button.tsx'

type PageError = NonNullable<BootData['error']>

/** Shows an error that has no page of its own, including errors of the provider (spec/pages#error-pages). */
export function ErrorPage({ error }: { error: PageError }) {
  const t = useT()
  const { code, message, description } = error
  // An interaction that has ended need not be reported (spec/pages#start-again).
  if (endsInteraction(error)) return <StartAgain message={message} />
  return (
    <EmptyFrame
      kind="failed"
      title={t('vestibule.error_title')}
      messages={[message, t('vestibule.error_message')]}
      detail={t('vestibule.error_code', { code: description ? `${code} (${description})` : code })}
    >
      <StartAgainLink />
    </EmptyFrame>
  )
}

/** Says that the interaction is over (spec/pages#start-again). */
export function StartAgain({ message }: { message: string }) {
  const { restartUrl } = useBoot()
  const t = useT()
  return (
    <EmptyFrame
      kind="expired"
      title={t('vestibule.expired_title')}
      // A user who can start again here is not sent back to the application.
      messages={
        restartUrl ? [t('vestibule.expired_or_completed')] : [message, t('vestibule.expired_message')]
      }
    >
      <StartAgainLink />
    </EmptyFrame>
  )
}

/** Shown if a page lacks the navigation state that it needs (spec/pages#error-pages). */
export function NavigationMissing() {
  const t = useT()
  return (
    <EmptyFrame
      kind="expired"
      title={t('vestibule.expired_title')}
      messages={[t('error.invalid_session')]}
      hasBackBar
    />
  )
}

/** Links to the start of a new sign-in. Nothing is shown if its URL is unknown. */
export function StartAgainLink() {
  const { restartUrl } = useBoot()
  const t = useT()
  return restartUrl && <ButtonLink href={restartUrl}>{t('vestibule.start_again')}</ButtonLink>
}

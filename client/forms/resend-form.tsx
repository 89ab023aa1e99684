import { useSecondsUntil } from '../browser/countdown.ts'
import { useIsHydrated } from '../browser/facts.ts'
import { useCurrentPage, useT } from '../context/boot.tsx'
import { withLink } from '../ui/rich-text.tsx'
import { JourneyForm } from './journey-form.tsx'

const RESEND_SECONDS = 59 // spec/pages#resend

/**
 * Sends another code, after a countdown that starts when the last code was sent. The navigation state contains
 * that time, so that a reload, a change of language or a new tab does not restart the countdown. Without
 * JavaScript, the button is available at once.
 */
export function ResendForm({ onSent }: { onSent: () => void }) {
  const t = useT()
  const { navigation } = useCurrentPage()
  const isHydrated = useIsHydrated()
  const sentAt = navigation?.codeSentAt ?? 0
  // Limit the countdown, because the server's clock may be ahead of the browser's, or the browser's clock may have been
  // set back.
  const secondsLeft = Math.min(useSecondsUntil(sentAt + RESEND_SECONDS * 1000) ?? 0, RESEND_SECONDS)
  const isWaiting = isHydrated && secondsLeft > 0

  return (
    <div className={isHydrated ? 'resend' : 'resend resend-early'}>
      {/* Screen readers announce only the end of the countdown. */}
      <p className="visually-hidden" role="status">
        {isHydrated && !isWaiting && t('vestibule.resend_ready')}
      </p>
      {isWaiting ? (
        <p className="resend-timer">
          {withLink(
            t('description.resend_after_seconds', { seconds: secondsLeft }),
            <span className="resend-seconds">{secondsLeft}</span>,
          )}
        </p>
      ) : (
        <JourneyForm intent="resend" onReaction={({ kind }) => kind === 'goTo' && onSent()}>
          {() => (
            <button type="submit" className="link text-button">
              {t('description.resend_passcode')}
            </button>
          )}
        </JourneyForm>
      )}
    </div>
  )
}

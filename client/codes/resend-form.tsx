import { useSecondsUntil } from '../browser/countdown.ts'
import { useIsHydrated } from '../browser/facts.ts'
import { useCurrentPage, useT } from '../context/boot.tsx'
import { JourneyForm } from '../forms/journey-form.tsx'
import '../styles/resend.css'

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
        <Timer seconds={secondsLeft} />
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

/** Shows when another code can be requested. Only the time, which the phrase marks, changes every second. */
function Timer({ seconds }: { seconds: number }) {
  const t = useT()
  const time = `0:${String(seconds).padStart(2, '0')}`
  const [before, marked, after] = t('description.resend_after_seconds', { time, seconds }).split(/<\/?span>/)
  return (
    <p>
      {before}
      <span className="resend-time">{marked}</span>
      {after}
    </p>
  )
}

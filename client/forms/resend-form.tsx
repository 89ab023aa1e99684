import { useEffect } from 'react'
import { useHere, useT } from '../app/boot.tsx'
import { useSecondsUntil } from '../browser/countdown.ts'
import { useHydrated } from '../browser/facts.ts'
import { rememberCodeSent } from '../browser/history-entry.ts'
import { withLink } from '../ui/rich-text.tsx'
import { JourneyForm } from './journey-form.tsx'

const RESEND_SECONDS = 59 // spec/pages#resend

/**
 * Sends another code, after a countdown. When the code was sent is kept in the page's entry in the history: a new page, or one that
 * has sent another code, has no such time and starts the countdown. Without script the button is available at once.
 */
export function ResendForm({ onSent }: { onSent: () => void }) {
  const t = useT()
  const { entry } = useHere()
  const isHydrated = useHydrated()
  const sentAt = entry?.codeSentAt ?? null
  const secondsLeft =
    useSecondsUntil(sentAt === null ? null : sentAt + RESEND_SECONDS * 1000) ?? RESEND_SECONDS
  const isWaiting = isHydrated && secondsLeft > 0

  useEffect(() => {
    if (sentAt === null) rememberCodeSent()
  }, [sentAt])

  return (
    <div className={isHydrated ? 'resend' : 'resend resend-early'}>
      {/* Screen readers announce the end of the countdown only. */}
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
            <button type="submit" className="link resend-button">
              {t('description.resend_passcode')}
            </button>
          )}
        </JourneyForm>
      )}
    </div>
  )
}

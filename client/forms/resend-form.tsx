import { useEffect } from 'react'
import { useHere, useT } from '../app/boot.tsx'
import { useSecondsUntil } from '../browser/countdown.ts'
import { useHydrated } from '../browser/facts.ts'
import { rememberCodeSent } from '../browser/history.ts'
import { withLink } from '../ui/rich-text.tsx'
import { JourneyForm } from './journey-form.tsx'

const RESEND_SECONDS = 59 // spec 9

/**
 * Another code, once the last one has had its time. The time belongs to the page's entry in the history: a page that
 * was just come to, or sent another code, has none and begins to count. Without script the button is there at once.
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
      {/* A countdown that speaks every second is no help: only its end is said. */}
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

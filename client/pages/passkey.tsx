import { useState } from 'react'
import { useT } from '../context/boot.tsx'
import { JourneyForm } from '../forms/journey-form.tsx'
import { LandingFrame } from '../layout/frame.tsx'
import { PasskeyPicture } from '../passkeys/picture.tsx'
import { Button } from '../ui/button.tsx'
import { CheckIcon, DeviceIcon, Icon, ShieldIcon } from '../ui/icons.tsx'
import '../styles/disc.css'
import '../styles/passkey.css'

export { journeys } from '../passkeys/journeys.ts'

const FingerprintIcon = () => (
  <Icon path="M4 10.5a6 6 0 0 1 12 0v2M6.5 15.5c.6-1.6.7-3.2.7-5a2.8 2.8 0 0 1 5.6 0c0 2.3-.2 4.4-1 6.5M10 10.5c0 2.6-.4 4.7-1.3 6.5M5.5 5a7.5 7.5 0 0 1 9 0" />
)

const benefits = [
  { Sign: FingerprintIcon, phrase: 'vestibule.passkey_offer_lock' },
  { Sign: DeviceIcon, phrase: 'vestibule.passkey_offer_devices' },
  { Sign: ShieldIcon, phrase: 'vestibule.passkey_offer_safe' },
] as const

/** Offers to create a passkey after a sign-in without one (spec/pages#passkey-offer). */
export default function NewPasskeyPage() {
  const t = useT()
  /** The confirmation that is shown while the browser leaves. Nothing waits for it. */
  const [saved, setSaved] = useState<string>()
  return (
    <>
      <PasskeyPicture />
      <LandingFrame title={t('vestibule.passkey_offer_title')}>
        <ul className="benefits">
          {benefits.map(({ Sign, phrase }) => (
            <li key={phrase}>
              <span className="disc">
                <Sign />
              </span>
              {t(phrase)}
            </li>
          ))}
        </ul>
        <div className="needs-script">
          <JourneyForm
            onReaction={(reaction) => setSaved(reaction.kind === 'leave' ? reaction.done : undefined)}
          >
            {() => (
              <Button name="submit">
                {saved ? (
                  <span className="saved">
                    <CheckIcon />
                    <bdi>{saved}</bdi>
                  </span>
                ) : (
                  t('vestibule.passkey_offer_create')
                )}
              </Button>
            )}
          </JourneyForm>
          <p className="visually-hidden" role="status">
            {saved}
          </p>
        </div>
        <JourneyForm intent="later">
          {() => <Button kind="quiet">{t('vestibule.passkey_offer_later')}</Button>}
        </JourneyForm>
      </LandingFrame>
    </>
  )
}

import { useT } from '../context/boot.tsx'
import { JourneyForm } from '../forms/journey-form.tsx'
import { LandingFrame } from '../layout/frame.tsx'
import { Button } from '../ui/button.tsx'

export { journeys } from '../passkeys/journeys.ts'

/** Offers to create a passkey after a sign-in without one (spec/pages#passkey-offer). */
export default function NewPasskeyPage() {
  const t = useT()
  return (
    <LandingFrame title={t('vestibule.passkey_offer_title')} description={t('vestibule.passkey_offer_hint')}>
      <div className="needs-script">
        <JourneyForm>
          {() => <Button name="submit">{t('vestibule.passkey_offer_create')}</Button>}
        </JourneyForm>
      </div>
      <JourneyForm intent="later">
        {() => <Button kind="quiet">{t('vestibule.passkey_offer_later')}</Button>}
      </JourneyForm>
    </LandingFrame>
  )
}

import { useRef } from 'react'
import { useHere, useT } from '../context/boot.tsx'
import { JourneyForm } from '../forms/journey-form.tsx'
import { ResendForm } from '../forms/resend-form.tsx'
import { StepFrame } from '../layout/frame.tsx'
import { Button } from '../ui/button.tsx'
import { empty } from '../ui/field.tsx'
import { AppCodeForm } from './app-code-form.tsx'
import { OtherWays, useWhyAsked, WhyAsked } from './other-ways.tsx'
import { RememberBrowser } from './remember-browser.tsx'
import { linkTo } from './ways.ts'

/** A code to the address of the account: first it is asked for, then typed (spec/pages#second-factor). */
export function AddressCodePage({ channel }: { channel: 'email' | 'phone' }) {
  const t = useT()
  const why = useWhyAsked()
  const code = useRef<HTMLInputElement>(null)
  const sent = useHere().navigation?.factorCode
  if (sent?.channel !== channel)
    return (
      <StepFrame title={t('vestibule.factor_title')} description={why}>
        <JourneyForm intent="resend" isMain>
          {() => <Button name="submit">{t(linkTo(channel, '').phrase)}</Button>}
        </JourneyForm>
        <OtherWays />
      </StepFrame>
    )
  return (
    <StepFrame
      title={t('action.enter_passcode')}
      description={t('description.enter_passcode', {
        address: t(channel === 'email' ? 'description.email' : 'description.phone_number'),
        target: sent.sentTo,
      })}
    >
      <AppCodeForm box={code}>
        <RememberBrowser />
      </AppCodeForm>
      {/* What was typed of the last code is of no use for the next. */}
      <ResendForm onSent={() => empty(code.current)} />
      <WhyAsked />
      <OtherWays />
    </StepFrame>
  )
}

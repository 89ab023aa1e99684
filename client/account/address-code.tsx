import type { AddressType } from '../../src/domain/account/address-rules.ts'
import { useT } from '../context/boot.tsx'
import { identifierNames } from '../journeys/identifier-names.ts'
import { shownPhone } from '../phones/phones.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { type AccountView, useContinueUrl } from './account-view.tsx'
import { ActionForm, Heading } from './parts.tsx'

type Shown = { type: AddressType; value: string; problem: AccountView['problem'] }

/** The code that was sent to a new address (spec/account-centre#addresses). */
export function AddressCode({ type, value, problem }: Shown) {
  const said = useT()
  const continueUrl = useContinueUrl()
  const target = type === 'phone' ? shownPhone(value) : value
  const lead = said('description.enter_passcode', { address: said(identifierNames[type]), target })
  return (
    <>
      <Heading title={said('action.enter_passcode')} lead={lead} />
      <form method="post" className="account-card account-form">
        <Field
          name="code"
          label={said('vestibule.verification_code')}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={16}
          dir="ltr"
          problem={problem?.field === 'code' ? problem.message : undefined}
          required
        />
        <Button name="intent" value="prove">
          {said('action.continue')}
        </Button>
      </form>
      <div className="account-actions">
        <ActionForm intent="resend">{said('description.resend_passcode')}</ActionForm>
        <a className="account-action" href={continueUrl(`/account/${type}`)}>
          {said('action.cancel')}
        </a>
      </div>
    </>
  )
}

import type { AddressType } from '../../src/domain/account/address-rules.ts'
import { OneTimeCodeField } from '../forms/one-time-code.tsx'
import { identifierNames } from '../journeys/identifier-names.ts'
import { formatPhone } from '../phones/phones.ts'
import { Button } from '../ui/button.tsx'
import { useLinkWithQuery, useProblem, useTexts } from './account-view.tsx'
import { ActionForm, ActionLink, Heading } from './parts.tsx'

/** Asks for the code that was sent to a new address (spec/account-centre#addresses). */
export function AddressCode({ type, value }: { type: AddressType; value: string }) {
  const t = useTexts()
  const continueUrl = useLinkWithQuery()
  const target = type === 'phone' ? formatPhone(value) : value
  const lead = t('description.enter_passcode', { address: t(identifierNames[type]), target })
  return (
    <>
      <Heading title={t('action.enter_passcode')} lead={lead} />
      <form method="post" className="account-card account-form">
        <OneTimeCodeField name="code" problem={useProblem('code')} />
        <Button name="intent" value="prove">
          {t('action.continue')}
        </Button>
      </form>
      <div className="account-actions">
        <ActionForm intent="resend">{t('description.resend_passcode')}</ActionForm>
        <ActionLink to={continueUrl(`/account/${type}`)}>{t('action.cancel')}</ActionLink>
      </div>
    </>
  )
}

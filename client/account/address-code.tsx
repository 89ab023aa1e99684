import type { AddressType } from '../../src/domain/account/address-rules.ts'
import { CodeField } from '../codes/code-field.tsx'
import { MailboxHelp, SentTo, sentCodePages } from '../codes/sent-code.tsx'
import { formatPhone } from '../phones/phones.ts'
import { Button } from '../ui/button.tsx'
import { useLinkWithQuery, useProblem, useTexts } from './account-view.tsx'
import { ActionForm, ActionLink, Heading } from './parts.tsx'

/** Asks for the code that was sent to a new address (spec/account-centre#addresses). */
export function AddressCode({ type, value }: { type: AddressType; value: string }) {
  const t = useTexts()
  const continueUrl = useLinkWithQuery()
  const target = type === 'phone' ? formatPhone(value) : value
  return (
    <>
      <Heading title={t(sentCodePages[type].title)} lead={<SentTo type={type} target={target} />} />
      <form method="post" className="account-card account-form">
        <CodeField name="code" problem={useProblem('code')} hasInitialFocus />
        <Button name="intent" value="prove">
          {t('action.continue')}
        </Button>
      </form>
      {type === 'email' && <MailboxHelp address={value} />}
      <div className="account-actions">
        <ActionForm intent="resend">{t('description.resend_passcode')}</ActionForm>
        <ActionLink to={continueUrl(`/account/${type}`)}>{t('action.cancel')}</ActionLink>
      </div>
    </>
  )
}

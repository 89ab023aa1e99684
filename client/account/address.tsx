import type { AddressRemoval, AddressType } from '../../src/domain/account/address-rules.ts'
import { useT } from '../context/boot.tsx'
import { identifierNames } from '../journeys/identifier-names.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { type AccountView, useContinueUrl, useMayChange, useTexts } from './account-view.tsx'
import { ActionForm, Heading } from './parts.tsx'

const inputs = {
  email: { type: 'email', autoComplete: 'email', maxLength: 128 },
  phone: { type: 'tel', autoComplete: 'tel', maxLength: 64 },
} as const

type Shown = {
  type: AddressType
  present: string | null
  isVerified: boolean
  kept: AddressRemoval['kept']
  typed: string
  problem: AccountView['problem']
}

/** The address as it is, another one, and its removal (spec/account-centre#addresses). */
export function Address({ type, present, isVerified, kept, typed, problem }: Shown) {
  const t = useTexts()
  const said = useT()
  const mayChange = useMayChange(type)
  const continueUrl = useContinueUrl()
  const label = said(type === 'email' ? 'input.email' : 'input.phone_number')
  return (
    <>
      <Heading title={label} lead={t('address_hint')} />
      {present !== null && (
        <section className="account-card">
          <h2>
            <bdi dir="ltr">{present}</bdi>
          </h2>
          {!isVerified && (
            <p className="account-quiet">{t(type === 'email' ? 'email_unverified' : 'phone_unverified')}</p>
          )}
          {mayChange && <Removal kept={kept} />}
        </section>
      )}
      {mayChange && (
        <form method="post" action={continueUrl(`/account/${type}`)} className="account-card account-form">
          {present !== null && <h2>{said('action.change', { method: said(identifierNames[type]) })}</h2>}
          <Field
            {...inputs[type]}
            name="identifier"
            label={label}
            defaultValue={typed}
            dir="auto"
            // Without an address before there is nobody to undo the change.
            {...(present !== null && { hint: <p>{t('new_address_hint')}</p> })}
            problem={problem?.field === 'identifier' ? problem.message : undefined}
            autoCapitalize="none"
            spellCheck={false}
            required
          />
          <Button name="intent" value="send">
            {said('action.continue')}
          </Button>
        </form>
      )}
    </>
  )
}

function Removal({ kept }: Pick<Shown, 'kept'>) {
  const t = useTexts()
  if (kept === null) return <ActionForm intent="remove">{t('remove_address')}</ActionForm>
  return <p className="account-quiet">{t('address_is_needed')}</p>
}

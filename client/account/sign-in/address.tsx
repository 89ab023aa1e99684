import type { AddressRemoval, AddressType } from '../../../src/domain/account/address-rules.ts'
import { identifierNames } from '../../journeys/identifier-names.ts'
import { Button } from '../../ui/button.tsx'
import { CheckIcon, EnvelopeIcon, PhoneIcon } from '../../ui/icons.tsx'
import { useCanEdit, useLinkWithQuery, useTexts } from '../account-view.tsx'
import { ActionForm, Heading, Input } from '../parts.tsx'
import { EmailText, PhoneText, Row, Rows } from '../rows.tsx'

const inputs = {
  email: { type: 'email', autoComplete: 'email', maxLength: 128 },
  phone: { type: 'tel', autoComplete: 'tel', maxLength: 64 },
} as const

type AddressProps = {
  type: AddressType
  current: string | null
  isVerified: boolean
  obstacle: AddressRemoval['obstacle']
  typed: string
}

/** Shows the current address, with forms to change and remove it (spec/account-centre#addresses). */
export function Address({ type, current, isVerified, obstacle, typed }: AddressProps) {
  const t = useTexts()
  const mayChange = useCanEdit(type)
  const continueUrl = useLinkWithQuery()
  const label = t(type === 'email' ? 'input.email' : 'input.phone_number')
  return (
    <>
      <Heading title={label} lead={t('address_hint')} />
      {current !== null && (
        <Rows>
          <Row
            icon={type === 'email' ? <EnvelopeIcon /> : <PhoneIcon />}
            title={type === 'email' ? <EmailText value={current} /> : <PhoneText value={current} />}
            value={
              isVerified ? (
                <span className="address-verified">
                  <CheckIcon />
                  {t('verified')}
                </span>
              ) : (
                t(type === 'email' ? 'email_unverified' : 'phone_unverified')
              )
            }
            end={
              mayChange && obstacle === null && <ActionForm intent="remove">{t('remove_address')}</ActionForm>
            }
          />
        </Rows>
      )}
      {mayChange && (
        <form
          method="post"
          action={continueUrl(`/account/${type}`)}
          className="account-card account-form profile-form"
        >
          {current !== null && <h2>{t('action.change', { method: t(identifierNames[type]) })}</h2>}
          <Input
            {...inputs[type]}
            name="identifier"
            label={label}
            defaultValue={typed}
            dir="auto"
            // Only the owner of the previous address can undo the change.
            hint={current !== null && <p>{t('new_address_hint')}</p>}
            autoCapitalize="none"
            spellCheck={false}
            required
          />
          {current !== null && obstacle !== null && (
            <p className="account-quiet">{t(type === 'email' ? 'email_is_needed' : 'phone_is_needed')}</p>
          )}
          <Button name="intent" value="send">
            {t('action.continue')}
          </Button>
        </form>
      )}
    </>
  )
}

import { Button } from '../../ui/button.tsx'
import { AlertIcon } from '../../ui/icons.tsx'
import { useLinkWithQuery, useTexts } from '../account-view.tsx'
import { ActionLink, Heading } from '../parts.tsx'

/**
 * A form that the page's script submits with the passkey that the browser created
 * (`client/browser/account-passkeys.ts`). Without JavaScript, passkeys cannot be created, and the page shows `otherWay`
 * instead.
 */
export function NewPasskey({
  purpose,
  options,
  freshFor,
  otherWay,
}: {
  purpose: 'signIn' | 'secondFactor'
  /** The options for the browser's WebAuthn call, passed on unchanged. */
  options: object
  /** The remaining time during which the user's sign-in is recent enough, in milliseconds. */
  freshFor: number
  otherWay: 'app' | 'password'
}) {
  const t = useTexts()
  const continueUrl = useLinkWithQuery()
  const isKey = purpose === 'secondFactor'
  const title = isKey ? t('new_key') : t('vestibule.passkey_offer_create')
  return (
    <>
      <Heading title={title} lead={isKey ? t('keys_hint') : t('vestibule.passkey_offer_hint')} />
      <div className="needs-script">
        <form
          method="post"
          className="account-card account-form"
          data-passkey={JSON.stringify(options)}
          data-fresh-for={freshFor}
        >
          <div className="form-problem" role="alert" hidden>
            <AlertIcon />
            <p>{t('passkey_not_made')}</p>
          </div>
          <input type="hidden" name="attestation" value="" />
          <Button name="intent" value="create">
            {title}
          </Button>
        </form>
      </div>
      <div className="without-script">
        <div className="account-card">
          <p>{t('vestibule.factor_use_script')}</p>
          {otherWay === 'app' ? (
            <ActionLink to={continueUrl('/account/factors/app')}>{t('vestibule.factor_setup')}</ActionLink>
          ) : (
            <ActionLink to={continueUrl('/account/password')}>{t('description.new_password')}</ActionLink>
          )}
        </div>
      </div>
    </>
  )
}

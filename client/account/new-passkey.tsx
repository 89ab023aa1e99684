import { useT } from '../context/boot.tsx'
import { Button } from '../ui/button.tsx'
import { AlertIcon } from '../ui/icons.tsx'
import { useContinueUrl, useTexts } from './account-view.tsx'
import { Heading } from './parts.tsx'

/**
 * A form that the script fills in with what the browser has created (`client/browser/account-passkeys.ts`). Browsers make passkeys for scripts alone:
 * without one there is `otherWay`.
 */
export function NewPasskey({
  purpose,
  options,
  freshFor,
  otherWay,
}: {
  purpose: 'signIn' | 'secondFactor'
  /** For the browser, as it takes them. */
  options: object
  /** Milliseconds for which the proof of presence is recent. */
  freshFor: number
  otherWay: 'app' | 'password'
}) {
  const t = useTexts()
  const said = useT()
  const continueUrl = useContinueUrl()
  const isKey = purpose === 'secondFactor'
  const title = isKey ? t('new_key') : said('vestibule.passkey_offer_create')
  return (
    <>
      <Heading title={title} lead={isKey ? t('keys_hint') : said('vestibule.passkey_offer_hint')} />
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
          <p>{said('vestibule.factor_use_script')}</p>
          {otherWay === 'app' ? (
            <a className="account-action" href={continueUrl('/account/factors/app')}>
              {said('vestibule.factor_setup')}
            </a>
          ) : (
            <a className="account-action" href={continueUrl('/account/password')}>
              {said('description.new_password')}
            </a>
          )}
        </div>
      </div>
    </>
  )
}

import type { AcceptedPasskeys, Passkey } from '../../src/contract/passkeys/passkeys.ts'
import { PASSKEY_NAME_MAX_LENGTH } from '../../src/contract/passkeys/passkeys.ts'
import { useCanEdit, useLinkWithQuery, useTexts } from './account-view.tsx'
import { ActionForm, ActionLink, DetailList, Heading, Input, TimeDetail } from './parts.tsx'

/**
 * Lists the passkeys for signing in (spec/account-centre#passkeys). The page's script sends `accepted` to the browser,
 * which then stops offering passkeys that were removed while JavaScript was off.
 */
export function Passkeys({
  passkeys,
  mayAdd,
  accepted,
}: {
  passkeys: readonly Passkey[]
  mayAdd: boolean
  accepted: AcceptedPasskeys | null
}) {
  const t = useTexts()
  const mayChange = useCanEdit('passkeys')
  const continueUrl = useLinkWithQuery()
  return (
    <>
      <Heading title={t('passkeys')} lead={t('vestibule.passkey_offer_hint')} />
      {accepted && <div hidden data-accepted={JSON.stringify(accepted)} />}
      {passkeys.length === 0 && <p className="account-card account-quiet">{t('no_passkeys')}</p>}
      <ul className="account-list">
        {passkeys.map((passkey) => (
          <li className="account-card" key={passkey.id}>
            <PasskeyDetails passkey={passkey} name={passkey.name ?? t('passkey')} />
            {mayChange && (
              <div className="account-actions">
                <Rename passkey={passkey} />
                <ActionForm intent="remove" id={passkey.id} about={headingOf(passkey)}>
                  {t('remove')}
                </ActionForm>
              </div>
            )}
          </li>
        ))}
      </ul>
      {mayAdd && mayChange && (
        <p>
          <ActionLink to={continueUrl('/account/passkeys/new')}>
            {t('vestibule.passkey_offer_create')}
          </ActionLink>
        </p>
      )}
    </>
  )
}

const headingOf = ({ id }: Pick<Passkey, 'id'>) => `passkey-${id}`

/** The details that help users recognize a passkey or a security key. */
export function PasskeyDetails({ passkey, name }: { passkey: Passkey; name: string }) {
  const t = useTexts()
  const { isBackedUp, createdAt, lastUsedAt, isSecondFactor } = passkey
  return (
    <>
      <h2 id={headingOf(passkey)}>
        <bdi>{name}</bdi>
        {!isSecondFactor && (
          <span className="account-mark">{isBackedUp ? t('passkey_synced') : t('passkey_bound')}</span>
        )}
      </h2>
      <DetailList>
        <TimeDetail name={t('created_at')} at={createdAt} />
        <TimeDetail name={t('last_used_at')} at={lastUsedAt} />
      </DetailList>
    </>
  )
}

/** A form for renaming a passkey. It can be opened without JavaScript. */
function Rename({ passkey }: { passkey: Passkey }) {
  const t = useTexts()
  const { id, name } = passkey
  return (
    <details className="account-edit">
      <summary className="account-action" aria-describedby={headingOf(passkey)}>
        {t('rename')}
      </summary>
      <form method="post" className="account-form">
        <input type="hidden" name="id" value={id} />
        <Input
          name={`name-${id}`}
          label={t('name')}
          defaultValue={name ?? ''}
          maxLength={PASSKEY_NAME_MAX_LENGTH}
          autoComplete="off"
          required
        />
        <button type="submit" className="account-action" name="intent" value="rename">
          {t('save')}
        </button>
      </form>
    </details>
  )
}

import type { AcceptedPasskeys, Passkey } from '../../../src/contract/passkeys/passkeys.ts'
import { PASSKEY_NAME_MAX_LENGTH } from '../../../src/contract/passkeys/passkeys.ts'
import { KeyIcon, PasskeyIcon } from '../../ui/icons.tsx'
import { useCanEdit, useLinkWithQuery, useTexts, useView } from '../account-view.tsx'
import { DisclosureRow } from '../disclosure-row.tsx'
import { Dotted, Since } from '../dotted.tsx'
import { EmptyList } from '../empty-list.tsx'
import { ActionForm, ActionLink, Heading, Input } from '../parts.tsx'
import { Rows } from '../rows.tsx'

/** A passkey with the common name of its authenticator model, if that is known. */
export type ListedPasskey = Passkey & { model: string | null }

/**
 * Lists the passkeys for signing in (spec/account-centre#passkeys). The page's script sends `accepted` to the browser,
 * which then stops offering passkeys that were removed while JavaScript was off.
 */
export function Passkeys({
  passkeys,
  mayAdd,
  accepted,
}: {
  passkeys: readonly ListedPasskey[]
  mayAdd: boolean
  accepted: AcceptedPasskeys | null
}) {
  const t = useTexts()
  const mayChange = useCanEdit('passkeys')
  const continueUrl = useLinkWithQuery()
  const add = mayAdd && mayChange && (
    <ActionLink to={continueUrl('/account/passkeys/new')}>{t('vestibule.passkey_offer_create')}</ActionLink>
  )
  return (
    <>
      <Heading title={t('passkeys')} lead={t('vestibule.passkey_offer_hint')} />
      {accepted && <div hidden data-accepted={JSON.stringify(accepted)} />}
      {passkeys.length === 0 ? (
        <EmptyList icon={<PasskeyIcon />} text={t('no_passkeys')}>
          {add}
        </EmptyList>
      ) : (
        <>
          <Rows>
            {passkeys.map((passkey) => (
              <PasskeyRow key={passkey.id} passkey={passkey} removal="remove" />
            ))}
          </Rows>
          {add && <p>{add}</p>}
        </>
      )}
    </>
  )
}

/** A passkey or a security key, in a row that opens to rename or remove it. */
export function PasskeyRow({
  passkey,
  removal,
}: {
  passkey: ListedPasskey
  /** The intent of the form that removes it. */
  removal: 'remove' | 'removeKey'
}) {
  const t = useTexts()
  const { typed } = useView()
  const mayChange = useCanEdit('passkeys')
  const { id, name, model, isBackedUp, isSecondFactor, createdAt, lastUsedAt } = passkey
  const heading = `passkey-${id}`
  const title = name ?? model ?? t(isSecondFactor ? 'key' : 'passkey')
  return (
    <DisclosureRow
      icon={isSecondFactor ? <KeyIcon /> : <PasskeyIcon />}
      title={<bdi id={heading}>{title}</bdi>}
      value={
        <Dotted>
          {model !== title && model}
          {!isSecondFactor && t(isBackedUp ? 'passkey_synced' : 'passkey_bound')}
          <Since phrase={t('created_since')} at={createdAt} />
          {lastUsedAt !== null && <Since phrase={t('last_used_at')} at={lastUsedAt} />}
        </Dotted>
      }
      // The form has to be sent again: it was rejected, or the user had to sign in again.
      isOpen={typed.id === id}
    >
      {mayChange && (
        <>
          {!isSecondFactor && <Rename passkey={passkey} about={heading} />}
          <ActionForm intent={removal} id={id} about={heading}>
            {t('remove')}
          </ActionForm>
        </>
      )}
    </DisclosureRow>
  )
}

function Rename({ passkey, about }: { passkey: Passkey; about: string }) {
  const t = useTexts()
  const { id, name } = passkey
  return (
    <form method="post" className="account-rename">
      <input type="hidden" name="id" value={id} />
      <Input
        name={`name-${id}`}
        label={t('passkey_name')}
        defaultValue={name ?? ''}
        maxLength={PASSKEY_NAME_MAX_LENGTH}
        autoComplete="off"
        required
      />
      <button type="submit" className="account-action" name="intent" value="rename" aria-describedby={about}>
        {t('rename')}
      </button>
    </form>
  )
}

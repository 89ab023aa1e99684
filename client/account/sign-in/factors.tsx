import type { SecondFactorKind } from '../../../src/contract/tenants/settings.ts'
import { KeyIcon, ListIcon, PhoneIcon } from '../../ui/icons.tsx'
import { useCanEdit, useLinkWithQuery, useTexts, useView } from '../account-view.tsx'
import { DisclosureRow } from '../disclosure-row.tsx'
import { Dotted, Since } from '../dotted.tsx'
import { EmptyList } from '../empty-list.tsx'
import { ActionForm, ActionLink, Heading } from '../parts.tsx'
import { Rows } from '../rows.tsx'
import { type ListedPasskey, PasskeyRow } from './passkeys.tsx'

type OwnFactors = {
  app: { createdAt: number; lastUsedAt: number | null } | null
  /** The number of backup codes left. */
  codes: number
  /** True if the user has another factor, for which backup codes can be used instead. */
  mayHaveCodes: boolean
  keys: readonly ListedPasskey[]
}

/**
 * Shows the user's second factors and those that the tenant offers but the user has not set up
 * (spec/account-centre#second-factors).
 */
export function Factors({ factors, offered }: { factors: OwnFactors; offered: readonly SecondFactorKind[] }) {
  const t = useTexts()
  const { app, codes, mayHaveCodes, keys } = factors
  return (
    <>
      <Heading title={t('factors')} lead={t('factors_lead')} />
      {app ? (
        <Rows>
          <App app={app} isOffered={offered.includes('totp')} />
          {(codes > 0 || mayHaveCodes) && <Codes factors={factors} />}
        </Rows>
      ) : (
        <>
          {offered.includes('totp') && <NewApp />}
          {(codes > 0 || mayHaveCodes) && (
            <Rows>
              <Codes factors={factors} />
            </Rows>
          )}
        </>
      )}
      {(keys.length > 0 || offered.includes('passkey')) && (
        <Keys keys={keys} mayAdd={offered.includes('passkey')} />
      )}
    </>
  )
}

function NewApp() {
  const t = useTexts()
  const mayChange = useCanEdit('factors')
  const continueUrl = useLinkWithQuery()
  return (
    <EmptyList icon={<PhoneIcon />} title={t('app')} text={t('vestibule.factor_setup_hint')}>
      {mayChange && (
        <ActionLink to={continueUrl('/account/factors/app')}>{t('vestibule.factor_setup')}</ActionLink>
      )}
    </EmptyList>
  )
}

function App({ app, isOffered }: { app: NonNullable<OwnFactors['app']>; isOffered: boolean }) {
  const t = useTexts()
  const { typed } = useView()
  const mayChange = useCanEdit('factors')
  const continueUrl = useLinkWithQuery()
  return (
    <DisclosureRow
      icon={<PhoneIcon />}
      title={<span id="app">{t('app')}</span>}
      value={
        <Dotted>
          <Since phrase={t('created_since')} at={app.createdAt} />
          {app.lastUsedAt !== null && <Since phrase={t('last_used_at')} at={app.lastUsedAt} />}
        </Dotted>
      }
      // The form has to be sent again, for example after a new sign-in.
      isOpen={typed.intent === 'remove'}
    >
      <p className="account-quiet">{t('app_removal')}</p>
      {mayChange && (
        <div className="account-actions">
          {isOffered && <ActionLink to={continueUrl('/account/factors/app')}>{t('replace_app')}</ActionLink>}
          <ActionForm intent="remove" about="app">
            {t('remove')}
          </ActionForm>
        </div>
      )}
    </DisclosureRow>
  )
}

function Codes({ factors }: { factors: OwnFactors }) {
  const { app, codes, mayHaveCodes } = factors
  const t = useTexts()
  const { typed } = useView()
  const mayChange = useCanEdit('factors')
  return (
    <DisclosureRow
      icon={<ListIcon />}
      title={<span id="codes">{t('codes')}</span>}
      value={t('few_codes', { count: codes })}
      isOpen={typed.intent === 'renew' || (typed.intent === 'remove' && !app)}
    >
      <p className="account-quiet">{t('codes_hint')}</p>
      <div className="account-actions">
        {mayChange && mayHaveCodes && (
          <ActionForm intent="renew" about="codes">
            {t('new_codes')}
          </ActionForm>
        )}
        {/* Removing the authenticator app also removes the backup codes. */}
        {mayChange && codes > 0 && !app && (
          <ActionForm intent="remove" about="codes">
            {t('remove')}
          </ActionForm>
        )}
      </div>
    </DisclosureRow>
  )
}

function Keys({ keys, mayAdd }: { keys: readonly ListedPasskey[]; mayAdd: boolean }) {
  const t = useTexts()
  const mayChange = useCanEdit('passkeys')
  const continueUrl = useLinkWithQuery()
  const add = mayAdd && mayChange && (
    <ActionLink to={continueUrl('/account/factors/key')}>{t('new_key')}</ActionLink>
  )
  if (keys.length === 0)
    return (
      <EmptyList icon={<KeyIcon />} title={t('keys')} text={t('keys_hint')}>
        {add}
      </EmptyList>
    )
  return (
    <>
      <Rows title={t('keys')}>
        {keys.map((key) => (
          <PasskeyRow key={key.id} passkey={key} removal="removeKey" />
        ))}
      </Rows>
      {add && <p>{add}</p>}
    </>
  )
}

import type { Passkey } from '../../src/contract/passkeys/passkeys.ts'
import type { SecondFactorKind } from '../../src/contract/tenants/settings.ts'
import { useCanEdit, useLinkWithQuery, useTexts } from './account-view.tsx'
import { ActionForm, ActionLink, DetailList, Heading, TimeDetail } from './parts.tsx'
import { PasskeyDetails } from './passkeys.tsx'

type OwnFactors = {
  app: { createdAt: number; lastUsedAt: number | null } | null
  /** The number of backup codes left. */
  codes: number
  /** Whether the user has another factor, for which backup codes can be used instead. */
  mayHaveCodes: boolean
  keys: readonly Passkey[]
}

/**
 * Shows the user's second factors and those that the tenant offers but the user has not set up
 * (spec/account-centre#second-factors).
 */
export function Factors({ factors, offered }: { factors: OwnFactors; offered: readonly SecondFactorKind[] }) {
  const t = useTexts()
  const mayChange = useCanEdit('factors')
  const isOffered = (kind: SecondFactorKind) => offered.includes(kind)
  return (
    <>
      <Heading title={t('factors')} lead={t('factors_lead')} />
      {(factors.app || isOffered('totp')) && (
        <App app={factors.app} mayChange={mayChange} mayAdd={isOffered('totp')} />
      )}
      {(factors.keys.length > 0 || isOffered('passkey')) && (
        <Keys keys={factors.keys} mayAdd={isOffered('passkey')} />
      )}
      {(factors.codes > 0 || factors.mayHaveCodes) && <Codes factors={factors} mayChange={mayChange} />}
    </>
  )
}

type AppFacts = { app: OwnFactors['app']; mayAdd: boolean; mayChange: boolean }

function App({ app, mayAdd, mayChange }: AppFacts) {
  const continueUrl = useLinkWithQuery()
  const t = useTexts()
  return (
    <section className="account-card">
      <h2 id="app">{t('app')}</h2>
      {app ? (
        <>
          <DetailList>
            <TimeDetail name={t('created_at')} at={app.createdAt} />
            <TimeDetail name={t('last_used_at')} at={app.lastUsedAt} />
          </DetailList>
          <p className="account-quiet">{t('app_removal')}</p>
        </>
      ) : (
        <p className="account-quiet">{t('vestibule.factor_setup_hint')}</p>
      )}
      <div className="account-actions">
        {mayAdd && mayChange && (
          <ActionLink to={continueUrl('/account/factors/app')}>
            {app ? t('replace_app') : t('vestibule.factor_setup')}
          </ActionLink>
        )}
        {app && mayChange && (
          <ActionForm intent="remove" about="app">
            {t('remove')}
          </ActionForm>
        )}
      </div>
    </section>
  )
}

function Keys({ keys, mayAdd }: { keys: readonly Passkey[]; mayAdd: boolean }) {
  const t = useTexts()
  const mayChange = useCanEdit('passkeys')
  const continueUrl = useLinkWithQuery()
  return (
    <section className="account-card">
      <h2>{t('keys')}</h2>
      <p className="account-quiet">{t('keys_hint')}</p>
      {keys.length > 0 && (
        <ul className="account-list">
          {keys.map((key) => (
            <li className="account-part" key={key.id}>
              <PasskeyDetails passkey={key} name={key.name ?? t('key')} />
              {mayChange && (
                <ActionForm intent="removeKey" id={key.id} about={`passkey-${key.id}`}>
                  {t('remove')}
                </ActionForm>
              )}
            </li>
          ))}
        </ul>
      )}
      {mayAdd && mayChange && (
        <ActionLink to={continueUrl('/account/factors/key')}>{t('new_key')}</ActionLink>
      )}
    </section>
  )
}

function Codes({ factors, mayChange }: { factors: OwnFactors; mayChange: boolean }) {
  const { app, codes, mayHaveCodes } = factors
  const t = useTexts()
  return (
    <section className="account-card">
      <h2 id="codes">{t('codes')}</h2>
      <p>{t('few_codes', { count: codes })}</p>
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
    </section>
  )
}

import { type ReactNode, useContext } from 'react'
import { Redirect } from 'wouter'
import {
  ACCOUNT_FIELD,
  type ReturningAccount,
  type ReturningWay,
} from '../../src/contract/sessions/remembered-accounts.ts'
import { useBoot, useInteractionPath, useT } from '../context/boot.tsx'
import { FormProblem } from '../forms/form-problem.tsx'
import { HEADING_ID, JourneyForm } from '../forms/journey-form.tsx'
import { MethodLink } from '../layout/navigation.tsx'
import type { PageFields } from '../reactions/reactions.ts'
import { useSocialConnectors } from '../social/social-connectors.ts'
import { SocialLogo } from '../social/social-logo.tsx'
import { Button, PendingContext } from '../ui/button.tsx'
import { ClearIcon, NextIcon, PasskeyIcon, PersonIcon } from '../ui/icons.tsx'
import { Spinner } from '../ui/loading.tsx'

export { journeys } from '../returning/journeys.ts'

export const fields: PageFields = () => ({})

/** Welcomes users whose account the browser remembers, or lets them choose one of several (spec/pages#returning). */
export default function ReturningPage() {
  const { accounts = [], experience } = useBoot()
  const t = useT()
  const address = useInteractionPath()
  const [account, ...others] = accounts
  // A page that was loaded at another path has no accounts.
  if (!account) return <Redirect to={address('/sign-in')} replace />
  const isChoice = others.length > 0
  const brand = experience.branding.name
  return (
    <div className="content returning">
      <p className="welcome">
        {!isChoice && <Initial {...account} />}
        <span>{t('vestibule.welcome_back')}</span>
        {!isChoice && <AccountName {...account} />}
      </p>
      <h1 className="title" id={HEADING_ID} tabIndex={-1}>
        {isChoice
          ? t('vestibule.choose_account')
          : brand
            ? t('vestibule.sign_in_to', { brand })
            : t('description.sign_in_to_your_account')}
      </h1>
      <div className="intro">
        <FormProblem />
      </div>
      {isChoice ? <AccountList accounts={accounts} /> : <ContinueForm {...account} />}
      {!isChoice && account.way === 'passkey' && <WithoutPasskey {...account} />}
      <MethodLink to="/sign-in">{t('vestibule.use_another_account')}</MethodLink>
      {!isChoice && (
        <JourneyForm intent="forget">
          {() => (
            <button type="submit" className="link forget" name={ACCOUNT_FIELD} value={account.id}>
              {t('vestibule.forget_account')}
            </button>
          )}
        </JourneyForm>
      )}
    </div>
  )
}

/** The forms by which accounts continue: social connectors and passkeys have the forms of the first page. */
const intents: Record<ReturningWay, string | undefined> = {
  password: undefined,
  code: undefined,
  passkey: 'passkey',
  social: 'social',
}

/** The form of an account. Browsers show passkeys only to scripts. */
function AccountForm({
  account: { way },
  isMain,
  children,
}: {
  account: ReturningAccount
  isMain: boolean
  children: () => ReactNode
}) {
  const form = (
    <JourneyForm intent={intents[way]} isMain={isMain}>
      {children}
    </JourneyForm>
  )
  return way === 'passkey' ? <div className="needs-script">{form}</div> : form
}

/** The name and value of the button that continues with an account. */
const buttonOf = ({ id, way, connectorId }: ReturningAccount) =>
  way === 'social' ? { name: 'connectorId', value: connectorId ?? '' } : { name: ACCOUNT_FIELD, value: id }

function ContinueForm(account: ReturningAccount) {
  const t = useT()
  const way = useWay(account)
  return (
    <AccountForm account={account} isMain>
      {() => (
        <Button {...buttonOf(account)}>
          {way.icon}
          {way.isNamed ? way.label : t('action.continue')}
          {way.isNamed && <LastUsed />}
        </Button>
      )}
    </AccountForm>
  )
}

/** The way for a browser that has no script or does not have the passkey. */
function WithoutPasskey({ id, type }: ReturningAccount) {
  const { experience } = useBoot()
  const t = useT()
  const method = experience.signIn.methods.find(({ identifier }) => identifier === type)
  if (!method || (!method.password && type === 'username')) return null
  const code = type === 'email' ? 'vestibule.email_code_instead' : 'vestibule.text_code_instead'
  return (
    <JourneyForm isMain={false}>
      {() => (
        <Button kind="quiet" name={ACCOUNT_FIELD} value={id}>
          {t(method.password ? 'action.sign_in_via_password' : code)}
        </Button>
      )}
    </JourneyForm>
  )
}

function AccountList({ accounts }: { accounts: readonly ReturningAccount[] }) {
  return (
    <ul className="accounts">
      {accounts.map((account, index) => (
        <li key={account.id} className={account.way === 'passkey' ? 'needs-script' : undefined}>
          <AccountForm account={account} isMain={false}>
            {() => <AccountRow account={account} isLast={index === 0} />}
          </AccountForm>
          <JourneyForm intent="forget">{() => <ForgetButton {...account} />}</JourneyForm>
        </li>
      ))}
    </ul>
  )
}

function AccountRow({ account, isLast }: { account: ReturningAccount; isLast: boolean }) {
  const button = buttonOf(account)
  const isBusy = useContext(PendingContext)?.value === button.value
  const { label } = useWay(account)
  return (
    <button
      type="submit"
      className="account-choice"
      {...button}
      aria-busy={isBusy || undefined}
      aria-disabled={isBusy || undefined}
    >
      <Initial {...account} />
      <span className="account-choice-text">
        <span className="account-choice-name">
          <AccountName {...account} />
        </span>
        <span className="account-choice-way">
          {label} {isLast && <LastUsed />}
        </span>
      </span>
      {isBusy ? <Spinner /> : <NextIcon />}
    </button>
  )
}

function ForgetButton(account: ReturningAccount) {
  const t = useT()
  const { label } = useWay(account)
  return (
    <button
      type="submit"
      className="icon-button"
      name={ACCOUNT_FIELD}
      value={account.id}
      aria-label={t('vestibule.forget_account_of', { account: account.mask || label })}
      title={t('vestibule.forget_account')}
    >
      <ClearIcon />
    </button>
  )
}

/** Returns how an account continues, in words. A passkey and a provider have a name and a sign of their own. */
function useWay({ way, connectorId }: ReturningAccount) {
  const t = useT()
  const { language } = useBoot()
  const connector = useSocialConnectors().find(({ id }) => id === connectorId)
  switch (way) {
    case 'password':
      return { label: t('input.password'), isNamed: false }
    case 'code':
      return { label: t('vestibule.verification_code'), isNamed: false }
    case 'passkey':
      return { label: t('vestibule.passkey_sign_in'), isNamed: true, icon: <PasskeyIcon /> }
    case 'social':
      return {
        label: t('action.sign_in_with', { name: connector?.name[language] ?? connector?.name.en ?? '' }),
        isNamed: true,
        icon: connector && <SocialLogo {...connector} />,
      }
  }
}

function LastUsed() {
  const t = useT()
  return <span className="last-used">{t('vestibule.last_used')}</span>
}

/** The masked identifier, which has its own text direction. */
const AccountName = ({ mask }: ReturningAccount) => mask && <bdi className="account-name">{mask}</bdi>

/** The first letter of the mask, or a sign if it has none. */
function Initial({ mask }: ReturningAccount) {
  const [first = '*'] = mask
  return (
    <span className="account-initial" aria-hidden="true">
      {first === '*' ? <PersonIcon /> : first.toLocaleUpperCase()}
    </span>
  )
}

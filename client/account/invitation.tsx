import { keptRules } from '../../src/domain/passwords/password-policy.ts'
import { useBoot, useT } from '../context/boot.tsx'
import { PasswordRules } from '../forms/password-rules.tsx'
import { TermsBox, TermsSentence } from '../forms/terms-agreement.tsx'
import { identifierLabel } from '../journeys/identifier-names.ts'
import { confirmsPassword, rulesOf } from '../journeys/new-password-problems.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { type AccountView, useTexts } from './account-view.tsx'
import { Heading } from './parts.tsx'

type Shown = {
  /** What the forms name: the link. */
  invitation: { name: string; value: string }
  /** Who is signed in: the id, and in words. */
  signedIn: { id: string; name: string } | null
  /** What a new account may be called; nothing where accounts are made by the tenant's own ways alone. */
  accepted: readonly ('username' | 'email')[]
  typed: string
  problem: AccountView['problem']
}

/** An account that exists gets the role, or a new one is made with it (spec/account-centre#invitations). */
export function Invitation({ invitation, signedIn, accepted, ...newAccount }: Shown) {
  const { experience, origin } = useBoot()
  const t = useTexts()
  const said = useT()
  const link = <input type="hidden" {...invitation} />
  return (
    <>
      <Heading
        title={t('invitation_title')}
        lead={t('invitation_lead', { name: experience.branding.name ?? new URL(origin).host })}
      />
      {signedIn !== null && (
        <form method="post" className="account-card account-form">
          {link}
          <input type="hidden" name="account" value={signedIn.id} />
          <h2>{t('invitation_as', { account: signedIn.name })}</h2>
          <Button name="intent" value="accept">
            {t('invitation_title')}
          </Button>
        </form>
      )}
      {accepted.length > 0 && (
        <form method="post" className="account-card account-form">
          {link}
          <h2>{said('action.create_account')}</h2>
          <NewAccount accepted={accepted} {...newAccount} />
        </form>
      )}
      <form method="post">
        {link}
        <p className="account-quiet">{said('description.have_account')}</p>
        <button type="submit" className="account-action" name="intent" value="signIn">
          {said('action.sign_in')}
        </button>
      </form>
    </>
  )
}

function NewAccount({ accepted, typed, problem }: Pick<Shown, 'accepted' | 'typed' | 'problem'>) {
  const boot = useBoot()
  const said = useT()
  const problemOf = (name: string) => (problem?.field === name ? problem.message : undefined)
  const secret = { type: 'password', autoComplete: 'new-password', required: true } as const
  return (
    <>
      <Field
        name="identifier"
        label={said(identifierLabel(accepted))}
        type={accepted.includes('username') ? 'text' : 'email'}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        dir="auto"
        defaultValue={typed}
        problem={problemOf('identifier')}
        required
      />
      <Field
        {...secret}
        name="newPassword"
        label={said('input.password')}
        hint={<PasswordRules kept={keptRules('', rulesOf(boot.experience))} />}
        problem={problemOf('newPassword')}
      />
      {confirmsPassword(boot) && (
        <Field
          {...secret}
          name="confirmPassword"
          label={said('input.confirm_password')}
          problem={problemOf('confirmPassword')}
        />
      )}
      <TermsBox event="Register" problem={problemOf('termsAgreement')} />
      <TermsSentence />
      <Button name="intent" value="create">
        {said('action.create_account')}
      </Button>
    </>
  )
}

import { useBoot } from '../context/boot.tsx'
import { TermsCheckbox, TermsSentence } from '../forms/terms-agreement.tsx'
import { identifierLabel } from '../journeys/identifier-names.ts'
import { Button } from '../ui/button.tsx'
import { useProblem, useTexts } from './account-view.tsx'
import { NewPasswordFields } from './new-password-fields.tsx'
import { Heading, Input } from './parts.tsx'

type InvitationProps = {
  /** The name and value of the hidden field that holds the token of the invitation link. */
  invitation: { name: string; value: string }
  /** The id and the display name of the signed-in user, or null if nobody is signed in. */
  signedIn: { id: string; name: string } | null
  /** The identifier types that a new account can sign in with. Empty if no new account can be created on this page. */
  accepted: readonly ('username' | 'email')[]
  typed: string
}

/** Assigns the role to an existing account, or creates an account that has it (spec/account-centre#invitations). */
export function Invitation({ invitation, signedIn, accepted, typed }: InvitationProps) {
  const { experience, origin } = useBoot()
  const t = useTexts()
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
          <h2>{t('action.create_account')}</h2>
          <NewAccount accepted={accepted} typed={typed} />
        </form>
      )}
      <form method="post">
        {link}
        <p className="account-quiet">{t('description.have_account')}</p>
        <button type="submit" className="account-action" name="intent" value="signIn">
          {t('action.sign_in')}
        </button>
      </form>
    </>
  )
}

function NewAccount({ accepted, typed }: Pick<InvitationProps, 'accepted' | 'typed'>) {
  const t = useTexts()
  return (
    <>
      <Input
        name="identifier"
        label={t(identifierLabel(accepted))}
        type={accepted.includes('username') ? 'text' : 'email'}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        dir="auto"
        defaultValue={typed}
        required
      />
      <NewPasswordFields label={t('input.password')} />
      <TermsCheckbox event="Register" problem={useProblem('termsAgreement')} />
      <TermsSentence />
      <Button name="intent" value="create">
        {t('action.create_account')}
      </Button>
    </>
  )
}

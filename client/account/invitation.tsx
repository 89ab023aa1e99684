import { useBoot } from '../context/boot.tsx'
import { Chip } from '../forms/identity-chip.tsx'
import { TermsCheckbox, TermsSentence } from '../forms/terms-agreement.tsx'
import { identifierLabel } from '../journeys/identifier-names.ts'
import { Button } from '../ui/button.tsx'
import { KeyIcon } from '../ui/icons.tsx'
import { withLink } from '../ui/rich-text.tsx'
import { useProblem, useTexts } from './account-view.tsx'
import { Card } from './card.tsx'
import { NewPasswordFields } from './new-password-fields.tsx'
import { Input, Moment } from './parts.tsx'

type InvitationProps = {
  /** The name and value of the hidden field that holds the token of the invitation link. */
  invitation: { name: string; value: string }
  /** The name of the user who sent the invitation, or null if an application or the operator's terminal sent it. */
  inviter: string | null
  expiresAt: number
  /** The id and the display name of the signed-in user, or null if nobody is signed in. */
  signedIn: { id: string; name: string } | null
  /** The identifier types that a new account can sign in with. Empty if no new account can be created on this page. */
  accepted: readonly ('username' | 'email')[]
  typed: string
}

/** Assigns the role to an existing account, or creates an account that has it (spec/account-centre#invitations). */
export function Invitation({ invitation, inviter, expiresAt, signedIn, accepted, typed }: InvitationProps) {
  const { experience, origin } = useBoot()
  const t = useTexts()
  const link = <input type="hidden" {...invitation} />
  const name = experience.branding.name ?? new URL(origin).host
  return (
    <Card icon={<KeyIcon />} title={t('invitation_join', { name })} lead={t('invitation_lead', { name })}>
      <p className="description">
        {inviter !== null && (
          <>
            {withLink(t('invitation_from'), <bdi className="strong">{inviter}</bdi>)}
            {' · '}
          </>
        )}
        {withLink(t('invitation_until'), <Moment at={expiresAt} />)}
      </p>
      {signedIn !== null && (
        <form method="post" className="form account-way">
          {link}
          <input type="hidden" name="account" value={signedIn.id} />
          <Chip sentence={t('vestibule.consent_account')} name={signedIn.name}>
            {null}
          </Chip>
          <Button name="intent" value="accept">
            {t('invitation_accept')}
          </Button>
        </form>
      )}
      {accepted.length > 0 && (
        <form method="post" className="form account-way" aria-labelledby="new-account">
          {link}
          <h2 id="new-account">{t('action.create_account')}</h2>
          <NewAccount accepted={accepted} typed={typed} isMain={signedIn === null} />
        </form>
      )}
      <form method="post" className="form account-way">
        {link}
        <p className="aside">{t('description.have_account')}</p>
        <Button kind="quiet" name="intent" value="signIn">
          {t('action.sign_in')}
        </Button>
      </form>
    </Card>
  )
}

function NewAccount({
  accepted,
  typed,
  isMain,
}: Pick<InvitationProps, 'accepted' | 'typed'> & {
  /** Whether this is the only way to accept without a further page. */
  isMain: boolean
}) {
  const t = useTexts()
  return (
    <>
      <Input
        name="identifier"
        label={t(identifierLabel(accepted))}
        type={accepted.includes('username') ? 'text' : 'email'}
        inputMode={accepted.includes('email') ? 'email' : undefined}
        enterKeyHint="next"
        autoComplete="username"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        dir="auto"
        defaultValue={typed}
        required
      />
      <NewPasswordFields label={t('input.password')} />
      <TermsCheckbox event="Register" problem={useProblem('termsAgreement')} />
      <TermsSentence />
      <Button kind={isMain ? 'primary' : 'quiet'} name="intent" value="create">
        {t('action.create_account')}
      </Button>
    </>
  )
}

import type { InvitationKind } from '../../src/contract/access/invitations.ts'
import type { NewAccountForm } from '../../src/domain/access/invited-account.ts'
import { useBoot } from '../context/boot.tsx'
import { Chip } from '../forms/identity-chip.tsx'
import { TermsCheckbox, TermsSentence } from '../forms/terms-agreement.tsx'
import { UsernameHint } from '../forms/username-hint.tsx'
import { identifierLabel } from '../journeys/identifier-names.ts'
import { Button } from '../ui/button.tsx'
import { KeyIcon } from '../ui/icons.tsx'
import { withLink } from '../ui/rich-text.tsx'
import { useProblem, useTexts } from './account-view.tsx'
import { Card } from './card.tsx'
import { NewPasswordFields } from './new-password-fields.tsx'
import { Detail, DetailList, Input, Moment } from './parts.tsx'

type InvitationProps = {
  /** The name and value of the hidden field that holds the token of the invitation link. */
  invitation: { name: string; value: string }
  kind: InvitationKind | 'organization'
  /** The name of the organisation to which somebody is invited. */
  organization: string | null
  /** The address of the invited person, or null if whoever has the link may accept. */
  email: string | null
  roles: readonly string[]
  /** The name of the user who sent the invitation, or null if an application or the operator's terminal sent it. */
  inviter: string | null
  expiresAt: number
  /** True if the address has to be proven first, with a link that is sent to it. */
  needsProof: boolean
  /** The signed-in account, or null if nobody is signed in or the invitation is for another account. */
  signedIn: { id: string; name: string } | null
  /** The signed-in account, if the invitation to the organisation is for another one. */
  otherAccount: { name: string } | null
  /** The fields of the form for a new account, or null if no account can be created on this page. */
  newAccount: NewAccountForm | null
  typed: string
}

/**
 * Says who is invited as what, and gives the roles to an existing account or creates an account that has them
 * (spec/account-centre#invitations).
 */
export function Invitation(props: InvitationProps) {
  const { kind, organization, email, roles, inviter, expiresAt, needsProof, ...ways } = props
  const { experience, origin } = useBoot()
  const t = useTexts()
  const name = experience.branding.name ?? new URL(origin).host
  const texts = {
    administrator: { title: t('invitation_join', { name }), lead: t('invitation_lead', { name }) },
    user: { title: t('invitation_user_join', { name }), lead: t('invitation_user_lead', { name }) },
    organization: {
      title: t('invitation_user_join', { name: organization ?? '' }),
      lead: t('invitation_organization_lead', { organization: organization ?? '', name }),
    },
  }
  return (
    <Card icon={<KeyIcon />} {...texts[kind]}>
      <p className="description">
        {inviter !== null && (
          <>
            {withLink(t('invitation_from'), <bdi className="strong">{inviter}</bdi>)}
            {' · '}
          </>
        )}
        {withLink(t('invitation_until'), <Moment at={expiresAt} hasZone />)}
      </p>
      <DetailList>
        <Detail name={t('input.email')}>{email !== null && <bdi>{email}</bdi>}</Detail>
        <Detail name={t('invitation_role')}>
          {roles.length > 0 &&
            roles.map((role, index) => (
              <span key={role}>
                {index > 0 && ', '}
                <bdi>{role}</bdi>
              </span>
            ))}
        </Detail>
      </DetailList>
      {needsProof ? <ProofForm invitation={ways.invitation} /> : <Ways {...ways} />}
    </Card>
  )
}

/** Sends a link to the address, because the link with which the page was opened does not prove it. */
function ProofForm({ invitation }: Pick<InvitationProps, 'invitation'>) {
  const t = useTexts()
  return (
    <form method="post" className="form account-way">
      <input type="hidden" {...invitation} />
      <p className="description">{t('invitation_confirm')}</p>
      <Button name="intent" value="send">
        {t('invitation_send')}
      </Button>
    </form>
  )
}

function Ways({
  invitation,
  signedIn,
  otherAccount,
  newAccount,
  typed,
}: Pick<InvitationProps, 'invitation' | 'signedIn' | 'otherAccount' | 'newAccount' | 'typed'>) {
  const t = useTexts()
  const link = <input type="hidden" {...invitation} />
  return (
    <>
      {otherAccount !== null && (
        <form method="post" className="form account-way">
          {link}
          <p className="description">
            {withLink(t('invitation_other'), <bdi className="strong">{otherAccount.name}</bdi>)}
          </p>
          <Button kind="quiet" name="intent" value="continue">
            {t('invitation_continue', { name: otherAccount.name })}
          </Button>
        </form>
      )}
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
      {newAccount !== null && (
        <form method="post" className="form account-way" aria-labelledby="new-account">
          {link}
          <h2 id="new-account">{t('action.create_account')}</h2>
          <NewAccount {...newAccount} typed={typed} isMain={signedIn === null} />
        </form>
      )}
      <form method="post" className="form account-way">
        {link}
        <p className="aside">{t('description.have_account')}</p>
        <Button
          kind={signedIn === null && newAccount === null ? 'primary' : 'quiet'}
          name="intent"
          value="signIn"
        >
          {t('action.sign_in')}
        </Button>
      </form>
    </>
  )
}

function NewAccount({
  identifiers,
  email,
  hasPassword,
  typed,
  isMain,
}: NewAccountForm & {
  typed: string
  /** True if this is the only way to accept without a further page. */
  isMain: boolean
}) {
  const t = useTexts()
  return (
    <>
      {email === null ? (
        <Input
          name="identifier"
          label={t(identifierLabel(identifiers))}
          type={identifiers.includes('username') ? 'text' : 'email'}
          inputMode={identifiers.includes('email') ? 'email' : undefined}
          enterKeyHint="next"
          autoComplete="username"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          dir="auto"
          defaultValue={typed}
          required
        />
      ) : (
        <UsernameHint value={email} />
      )}
      {hasPassword && <NewPasswordFields label={t('input.password')} />}
      <TermsCheckbox event="Register" problem={useProblem('termsAgreement')} />
      <TermsSentence />
      <Button kind={isMain ? 'primary' : 'quiet'} name="intent" value="create">
        {t('action.create_account')}
      </Button>
    </>
  )
}

import { useBoot } from '../../context/boot.tsx'
import { Button } from '../../ui/button.tsx'
import { FieldFrame } from '../../ui/field.tsx'
import { EnvelopeIcon } from '../../ui/icons.tsx'
import { withLink } from '../../ui/rich-text.tsx'
import { useTexts, useView } from '../account-view.tsx'
import { DisclosureRow } from '../disclosure-row.tsx'
import { Dotted, Since } from '../dotted.tsx'
import { EmptyList } from '../empty-list.tsx'
import { ActionForm, FormattedDate, Heading, Input, Pager } from '../parts.tsx'
import { EmailText, Rows } from '../rows.tsx'
import { RoleNames } from './organization-parts.tsx'
import { type Role, RoleChoice } from './role-choice.tsx'

export type ListedInvitation = {
  id: string
  email: string
  roleIds: readonly string[]
  sentAt: number | null
  expiresAt: number
}

type InvitationsProps = {
  invitations: readonly ListedInvitation[]
  roles: readonly Role[]
  /** The roles that the user has chosen in a form that was rejected. */
  chosenRoles: readonly string[]
  now: number
  /** The cursor of the next page, or null on the last one. */
  older: string | null
  isFirst: boolean
}

/** Invites people to an organisation, and lists the open invitations (spec/organisations#account-centre). */
export function OrganizationInvitations({ invitations, roles, chosenRoles, now, ...page }: InvitationsProps) {
  const t = useTexts()
  const { typed } = useView()
  return (
    <>
      <Heading title={t('invitations')} lead={t('invitations_lead')} />
      <form method="post" className="account-card account-form profile-form">
        <h2>{t('invite')}</h2>
        <Input
          type="email"
          name="email"
          label={t('input.email')}
          defaultValue={typed.email}
          maxLength={128}
          dir="auto"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          required
        />
        <RoleChoice id="new" roles={roles} chosen={chosenRoles} />
        <InvitationLanguage value={typed.language ?? ''} />
        <Button name="intent" value="invite">
          {t('invitation_send_now')}
        </Button>
      </form>
      {invitations.length === 0 ? (
        <EmptyList icon={<EnvelopeIcon />} text={t('no_invitations')} />
      ) : (
        <Rows title={t('open_invitations')}>
          {invitations.map(({ id, email, roleIds, sentAt, expiresAt }) => (
            <DisclosureRow
              key={id}
              icon={<EnvelopeIcon />}
              title={
                <span id={`invitation-${id}`}>
                  <EmailText value={email} />
                </span>
              }
              value={
                <Dotted>
                  <RoleNames
                    names={roles.filter((role) => roleIds.includes(role.id)).map(({ name }) => name)}
                  />
                  {sentAt !== null && <Since phrase={t('sent_since')} at={sentAt} />}
                  {expiresAt > now
                    ? withLink(t('invitation_until'), <FormattedDate at={expiresAt} />)
                    : t('invitation_over')}
                </Dotted>
              }
              isOpen={typed.id === id}
            >
              <div className="account-actions">
                <ActionForm intent="resend" id={id} about={`invitation-${id}`}>
                  {t('send_again')}
                </ActionForm>
                <ActionForm intent="revoke" id={id} about={`invitation-${id}`}>
                  {t('revoke')}
                </ActionForm>
              </div>
            </DisclosureRow>
          ))}
        </Rows>
      )}
      <Pager {...page} />
    </>
  )
}

/** The language of the message. By default, it is that of the invited account, or of the inviter. */
function InvitationLanguage({ value }: { value: string }) {
  const { languages } = useBoot()
  const t = useTexts()
  if (languages.length === 0) return null
  return (
    <FieldFrame name="language" label={t('invitation_language')} problem={undefined} hint={undefined}>
      {(attributes) => (
        <select name="language" defaultValue={value} {...attributes}>
          <option value="">{t('invitation_language_own')}</option>
          {languages.map(({ tag, name, lang = tag }) => (
            <option key={tag} value={tag} lang={lang}>
              {name}
            </option>
          ))}
        </select>
      )}
    </FieldFrame>
  )
}

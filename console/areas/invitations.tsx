import type { Invitation } from '../../src/contract/access/invitations.schema.ts'
import type { InvitationKind } from '../../src/contract/access/invitations.ts'
import { useFormats, useT } from '../phrases.ts'
import { useCan } from '../session/permissions.tsx'
import { DialogButton } from '../ui/dialog-button.tsx'
import { Card } from '../ui/page.tsx'
import { PagedTable } from '../ui/table.tsx'
import { useRoleWords } from './administrator-roles.ts'
import { InvitationActions } from './invitation-actions.tsx'
import { invitationPhrases } from './invitation-phrases.ts'
import { InviteDialog } from './invite-dialog.tsx'
import { useRoles } from './roles.ts'

/** Lists the invitations of administrators or users, to send them again or revoke them (spec/console#invitations). */
export default function Invitations({ kind }: { kind: InvitationKind }) {
  const t = useT(invitationPhrases)
  const { time } = useFormats()
  const roleNames = useRoleNames()
  const mayInvite = useCan(kind === 'administrator' ? 'all' : 'users:write')
  const recipient = ({ email }: Invitation) => email ?? t('anyone')
  const isAdministrator = kind === 'administrator'
  return (
    <Card
      title={t('invitations')}
      lead={t(isAdministrator ? 'administratorsLead' : 'usersLead')}
      actions={
        mayInvite && (
          <DialogButton kind="primary" text={t(isAdministrator ? 'inviteAdministrator' : 'inviteUser')}>
            {(close) => <InviteDialog kind={kind} onClose={close} />}
          </DialogButton>
        )
      }
    >
      <PagedTable<Invitation>
        path="/invitations"
        query={{ kind }}
        label={t('invitations')}
        keyOf={({ id }) => id}
        empty={<p>{t('none')}</p>}
        columns={[
          { title: t('email'), cell: recipient },
          { title: t('roles'), cell: ({ roleIds }) => roleNames(roleIds), isHiddenOnPhones: true },
          { title: t('state'), cell: ({ state }) => t(state) },
          { title: t('until'), cell: ({ expiresAt }) => time(expiresAt), isHiddenOnPhones: true },
          ...(mayInvite
            ? [
                {
                  title: '',
                  cell: (row: Invitation) => <InvitationActions invitation={row} name={recipient(row)} />,
                },
              ]
            : []),
        ]}
      />
    </Card>
  )
}

function useRoleNames() {
  const words = useRoleWords()
  const roles = useRoles() ?? []
  return (ids: readonly string[]) =>
    ids
      .map((id) => {
        const role = roles.find((candidate) => candidate.id === id)
        return role ? words.nameOf(role) : id
      })
      .join(', ')
}

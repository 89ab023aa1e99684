import { useState } from 'react'
import { invitationStates } from '../../../src/contract/access/invitations.ts'
import type { OrganizationInvitation } from '../../../src/contract/organisations/invitations.schema.ts'
import { phrases, useFormats, useT } from '../../phrases.ts'
import { useCan } from '../../session/permissions.tsx'
import { DialogButton } from '../../ui/dialog-button.tsx'
import { Select } from '../../ui/fields.tsx'
import { Card } from '../../ui/page.tsx'
import { PagedTable } from '../../ui/table.tsx'
import { invitationPhrases } from '../invitation-phrases.ts'
import { InvitationActions } from './invitation-actions.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { useOrganizationRoleNames } from './organisation-roles.tsx'

const texts = phrases({
  en: {
    lead: 'People who were invited by email to join this organization. The link works once, and only for the owner of the address.',
    invite: 'Invite a member',
    noneInState: 'There are no invitations with this status.',
  },
  de: {
    lead: 'Personen, die per E-Mail in diese Organisation eingeladen wurden. Der Link gilt einmal und nur für den Inhaber der Adresse.',
    invite: 'Mitglied einladen',
    noneInState: 'Es gibt keine Einladungen mit diesem Status.',
  },
})

/** Lists the invitations to an organisation, to send them again or revoke them. */
export default function Invitations({ id }: { id: string }) {
  const t = useT(texts, invitationPhrases)
  const { time } = useFormats()
  const roleNames = useOrganizationRoleNames()
  const mayInvite = useCan('organizations:write')
  const [state, setState] = useState<(typeof invitationStates)[number] | ''>('')
  const [page, onPage] = useState(1)
  const path = `/organizations/${encodeURIComponent(id)}/invitations`
  return (
    <Card
      title={t('invitations')}
      lead={t('lead')}
      actions={
        mayInvite && (
          <DialogButton kind="primary" text={t('invite')}>
            {(close) => <InviteDialog path={path} title={t('invite')} onClose={close} />}
          </DialogButton>
        )
      }
    >
      <search className="filters">
        <Select
          label={t('state')}
          value={state}
          options={[
            { value: '', label: t('any') },
            ...invitationStates.map((value) => ({ value, label: t(value) })),
          ]}
          onChange={(next) => {
            setState(next)
            onPage(1)
          }}
        />
      </search>
      <PagedTable<OrganizationInvitation>
        path={path}
        query={{ state }}
        at={{ page, onPage }}
        label={t('invitations')}
        keyOf={(invitation) => invitation.id}
        empty={<p>{t(state ? 'noneInState' : 'none')}</p>}
        columns={[
          { title: t('email'), cell: ({ email }) => email },
          { title: t('roles'), cell: ({ roleIds }) => roleNames(roleIds), isHiddenOnPhones: true },
          { title: t('state'), cell: (row) => t(row.state) },
          { title: t('until'), cell: ({ expiresAt }) => time(expiresAt), isHiddenOnPhones: true },
          ...(mayInvite
            ? [
                {
                  title: '',
                  cell: (row: OrganizationInvitation) => <InvitationActions list={path} invitation={row} />,
                },
              ]
            : []),
        ]}
      />
    </Card>
  )
}

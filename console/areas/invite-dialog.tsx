import { useState } from 'react'
import type { CreatedInvitation } from '../../src/contract/access/invitations.schema.ts'
import { INVITATION_LIFETIMES, type InvitationKind } from '../../src/contract/access/invitations.ts'
import { useApi, useChange } from '../api/queries.ts'
import { useFormats, useT } from '../phrases.ts'
import { useCan } from '../session/permissions.tsx'
import { Copyable } from '../ui/copy.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { DialogForm } from '../ui/dialog-form.tsx'
import { OneTimeDialog } from '../ui/once-dialog.tsx'
import { RequireStepUp } from '../ui/step-up.tsx'
import { useNotify } from '../ui/toast.tsx'
import { invitationPhrases } from './invitation-phrases.ts'
import { InviteFields, type InviteValues } from './invite-fields.tsx'

/** Without an email connector, only a link that is valid for an hour can be created (spec/management#invitations). */
const initialValues = (kind: InvitationKind, hasMail: boolean): InviteValues => ({
  email: '',
  name: '',
  language: '',
  lifetime: hasMail ? 'day' : 'hour',
  delivery: hasMail ? 'email' : 'link',
  roleIds: kind === 'administrator' ? ['read-only-role'] : [],
})

/** Invites an administrator or a user, by email or with a link that is shown once (spec/console#invitations). */
export function InviteDialog({ kind, onClose }: { kind: InvitationKind; onClose: () => void }) {
  const t = useT(invitationPhrases)
  const { time } = useFormats()
  const change = useChange()
  const notify = useNotify()
  const connectors = useApi<{ type: string }[]>('/connectors', { isEnabled: useCan('connectors:read') })
  const hasMail = connectors.data?.data.some(({ type }) => type === 'Email') ?? true
  const [edits, setEdits] = useState<Partial<InviteValues>>({})
  const values = { ...initialValues(kind, hasMail), ...edits }
  const [invitation, setInvitation] = useState<CreatedInvitation | null>(null)
  const title = t(kind === 'administrator' ? 'inviteAdministrator' : 'inviteUser')
  const create = async () => {
    const created = await change<CreatedInvitation>('/invitations', { method: 'POST', body: bodyOf(values) })
    if (created.data.url !== null) return setInvitation(created.data)
    notify.success(t('sent', { email: values.email.trim() }))
    onClose()
  }
  if (invitation !== null)
    return (
      <OneTimeDialog title={title} onClose={onClose}>
        <p>{t('linkMade', { time: time(invitation.expiresAt) })}</p>
        <Copyable label={t('link')} value={invitation.url ?? ''} isBare />
      </OneTimeDialog>
    )
  return (
    <Dialog title={title} onClose={onClose}>
      <RequireStepUp>
        <DialogForm
          action={t(values.delivery === 'email' ? 'send' : 'generate')}
          fields={['email', 'name', 'lifetimeSeconds']}
          onSubmit={create}
          onClose={onClose}
        >
          {(problems) => (
            <InviteFields
              kind={kind}
              values={values}
              problems={problems}
              hasMail={hasMail}
              edit={(changes) => setEdits((before) => ({ ...before, ...changes }))}
            />
          )}
        </DialogForm>
      </RequireStepUp>
    </Dialog>
  )
}

function bodyOf({ email, name, lifetime, language, ...values }: InviteValues) {
  return {
    ...values,
    email: email.trim(),
    lifetimeSeconds: INVITATION_LIFETIMES[lifetime],
    ...(name.trim() !== '' && { name: name.trim() }),
    ...(language !== '' && { language }),
  }
}

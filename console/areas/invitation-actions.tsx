import { useState } from 'react'
import type { Invitation } from '../../src/contract/access/invitations.schema.ts'
import { useChange } from '../api/queries.ts'
import { useT } from '../phrases.ts'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { useNotify } from '../ui/toast.tsx'
import { invitationPhrases } from './invitation-phrases.ts'

/** The buttons for an invitation that can still be sent again or revoked. */
export function InvitationActions({
  invitation: { id, email, state },
  name,
}: {
  invitation: Invitation
  name: string
}) {
  const t = useT(invitationPhrases)
  const change = useChange()
  const notify = useNotify()
  const [question, setQuestion] = useState<'resend' | 'revoke' | null>(null)
  if (state === 'accepted' || state === 'revoked') return null
  const path = `/invitations/${id}`
  const invalidates = ['/invitations']
  const resend = async () => {
    await change(`${path}/resend`, { method: 'POST', invalidates })
    notify.success(t('sent', { email: name }))
  }
  const revoke = async () => {
    await change(path, { method: 'DELETE', invalidates })
    notify.success(t('revokedNow'))
  }
  return (
    <span className="actions">
      {email !== null && (
        <Button kind="plain" aria-label={`${t('resend')}: ${name}`} onPress={() => setQuestion('resend')}>
          {t('resend')}
        </Button>
      )}
      <Button kind="plain" aria-label={`${t('revoke')}: ${name}`} onPress={() => setQuestion('revoke')}>
        {t('revoke')}
      </Button>
      {question !== null && (
        <ConfirmDialog
          title={t(question)}
          action={t(question)}
          lead={t(question === 'resend' ? 'resendLead' : 'revokeLead', { email: name })}
          onConfirm={question === 'resend' ? resend : revoke}
          onClose={() => setQuestion(null)}
        />
      )}
    </span>
  )
}

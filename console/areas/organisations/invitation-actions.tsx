import { useState } from 'react'
import type { OrganizationInvitation } from '../../../src/contract/organisations/invitations.schema.ts'
import { useChange } from '../../api/queries.ts'
import { useT } from '../../phrases.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { useNotify } from '../../ui/toast.tsx'
import { invitationPhrases } from '../invitation-phrases.ts'

type ActionsProps = {
  /** The path of the list of invitations. */
  list: string
  invitation: OrganizationInvitation
}

/** The buttons for an invitation that can still be sent again or revoked. */
export function InvitationActions({ list, invitation: { id, email, state } }: ActionsProps) {
  const t = useT(invitationPhrases)
  const change = useChange()
  const notify = useNotify()
  const [question, setQuestion] = useState<'resend' | 'revoke' | null>(null)
  if (state === 'accepted' || state === 'revoked') return null
  const path = `${list}/${encodeURIComponent(id)}`
  const invalidates = [list]
  const resend = async () => {
    await change(`${path}/send`, { method: 'POST', invalidates })
    notify.success(t('sent', { email }))
  }
  const revoke = async () => {
    await change(path, { method: 'DELETE', invalidates })
    notify.success(t('revokedNow'))
  }
  return (
    <span className="actions">
      {(['resend', 'revoke'] as const).map((action) => (
        <Button
          key={action}
          kind="plain"
          aria-label={`${t(action)}: ${email}`}
          onPress={() => setQuestion(action)}
        >
          {t(action)}
        </Button>
      ))}
      {question !== null && (
        <ConfirmDialog
          title={t(question)}
          action={t(question)}
          lead={t(`${question}Lead`, { email })}
          onConfirm={question === 'resend' ? resend : revoke}
          onClose={() => setQuestion(null)}
        />
      )}
    </span>
  )
}

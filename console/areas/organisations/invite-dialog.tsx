import { useState } from 'react'
import { INVITATION_LIFETIMES } from '../../../src/contract/access/invitations.ts'
import { builtInLanguages } from '../../../src/contract/experience/languages.ts'
import { languageNames } from '../../../src/domain/experience/language-names.ts'
import { useChange } from '../../api/queries.ts'
import { phrases, useT } from '../../phrases.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogForm } from '../../ui/dialog-form.tsx'
import { Select, TextField } from '../../ui/fields.tsx'
import { RequireStepUp } from '../../ui/step-up.tsx'
import { useNotify } from '../../ui/toast.tsx'
import { invitationPhrases } from '../invitation-phrases.ts'
import { RoleChoice } from './organisation-roles.tsx'

const texts = phrases({
  en: { ownLanguage: 'The language of the account, or else the tenant’s' },
  de: { ownLanguage: 'Sprache des Kontos, sonst die des Mandanten' },
})

const lifetimes = ['week', 'day', 'hour'] as const

type InviteProps = {
  /** The path of the list of invitations. */
  path: string
  title: string
  onClose: () => void
}

/** Sends an invitation to an organisation to an address. */
export function InviteDialog({ path, title, onClose }: InviteProps) {
  const t = useT(texts, invitationPhrases)
  const change = useChange()
  const notify = useNotify()
  const [email, setEmail] = useState('')
  const [roleIds, setRoleIds] = useState<readonly string[]>([])
  const [language, setLanguage] = useState('')
  const [lifetime, setLifetime] = useState<(typeof lifetimes)[number]>('week')
  const send = async () => {
    const address = email.trim()
    const lifetimeSeconds = INVITATION_LIFETIMES[lifetime]
    await change(path, {
      method: 'POST',
      body: { email: address, roleIds, lifetimeSeconds, ...(language !== '' && { language }) },
    })
    notify.success(t('sent', { email: address }))
    onClose()
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <RequireStepUp>
        <DialogForm action={t('send')} fields={['email']} onSubmit={send} onClose={onClose}>
          {(problems) => (
            <>
              <TextField
                label={t('email')}
                type="email"
                autoComplete="off"
                value={email}
                problem={problems.email}
                onChange={setEmail}
              />
              <RoleChoice value={roleIds} onChange={setRoleIds} />
              <Select
                label={t('validity')}
                value={lifetime}
                options={lifetimes.map((value) => ({ value, label: t(value) }))}
                onChange={setLifetime}
              />
              <Select
                label={t('messageLanguage')}
                value={language}
                options={[
                  { value: '', label: t('ownLanguage') },
                  ...languageNames(builtInLanguages).map(({ tag, name }) => ({ value: tag, label: name })),
                ]}
                onChange={setLanguage}
              />
            </>
          )}
        </DialogForm>
      </RequireStepUp>
    </Dialog>
  )
}

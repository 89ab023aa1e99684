import type { z } from 'zod'
import type { CreatedTenant } from '../../../src/contract/tenants/tenants.schema.ts'
import { useFormats, useT } from '../../phrases.ts'
import { Copyable } from '../../ui/copy.tsx'
import { OneTimeDialog } from '../../ui/once-dialog.tsx'
import { texts } from './phrases.ts'

/** Shows how to sign in to a new tenant. The API returns the link and the secret only once. */
export function NewTenant({
  tenant,
  onClose,
}: {
  tenant: z.infer<typeof CreatedTenant>
  onClose: () => void
}) {
  const t = useT(texts)
  const { time } = useFormats()
  const { id, invitation, application } = tenant
  return (
    <OneTimeDialog title={t('made', { id })} onClose={onClose}>
      {invitation ? (
        <section>
          <h3>{t('link')}</h3>
          <p>{t('linkLead', { time: time(invitation.expiresAt) })}</p>
          <Copyable label={t('link')} value={invitation.url} isBare />
        </section>
      ) : (
        <section>
          <h3>{t('hosts')}</h3>
          <p>{t('hostsLead')}</p>
          <Copyable label={t('hosts')} value={`login.example.com=${id}`} isBare />
        </section>
      )}
      <details>
        <summary>{t('application')}</summary>
        <p>{t('applicationLead')}</p>
        <Copyable label={t('clientId')} value={application.id} />
        <Copyable label={t('clientSecret')} value={application.secret} />
      </details>
    </OneTimeDialog>
  )
}

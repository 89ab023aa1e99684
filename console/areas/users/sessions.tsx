import type { z } from 'zod'
import type { TrustedBrowserSchema } from '../../../src/contract/account/account.schema.ts'
import type { SessionSchema } from '../../../src/contract/sessions/sessions.schema.ts'
import { parseUserAgent } from '../../../src/domain/user-agent.ts'
import { useFormats, useT } from '../../phrases.ts'
import { ConfirmButton } from '../../ui/dialog-button.tsx'
import { texts } from './phrases.ts'
import { RemovableList, useRemoveEntity } from './removable-list.tsx'

type Session = z.infer<typeof SessionSchema>
type Browser = z.infer<typeof TrustedBrowserSchema>

/** Lists the user's sessions and trusted browsers. */
export default function Sessions({ userId }: { userId: string }) {
  const t = useT(texts)
  const { time } = useFormats()
  const remove = useRemoveEntity()
  const path = `/users/${encodeURIComponent(userId)}/sessions`
  const deviceName = (userAgent: string | null) => {
    const { browser, system } = parseUserAgent(userAgent)
    return [browser, system].filter(Boolean).join(', ') || t('unknownDevice')
  }
  return (
    <>
      <RemovableList<Session>
        title={t('sessions')}
        path={path}
        keyOf={({ id }) => id}
        nameOf={({ userAgent }) => deviceName(userAgent)}
        empty={t('noSessions')}
        action={t('end')}
        consequence={t('endLead')}
        extra={
          <ConfirmButton
            text={t('endAll')}
            lead={t('endAllLead')}
            onConfirm={() => remove(path, [path], t('removed'))}
          />
        }
        columns={[
          { title: t('device'), cell: ({ userAgent }) => deviceName(userAgent) },
          {
            title: t('place'),
            cell: ({ city, country }) => [city, country].filter(Boolean).join(', '),
            isHiddenOnPhones: true,
          },
          { title: t('signedIn'), cell: ({ signedInAt }) => time(signedInAt) },
          {
            title: t('applications'),
            cell: ({ applications }) => applications.map(({ id, name }) => name ?? id).join(', '),
            isHiddenOnPhones: true,
          },
        ]}
      />
      <RemovableList<Browser>
        title={t('browsers')}
        lead={t('browsersLead')}
        path={`/users/${encodeURIComponent(userId)}/trusted-browsers`}
        keyOf={({ id }) => id}
        nameOf={({ userAgent }) => deviceName(userAgent)}
        empty={t('noBrowsers')}
        action={t('forget')}
        consequence={t('forgetLead')}
        columns={[
          { title: t('device'), cell: ({ userAgent }) => deviceName(userAgent) },
          { title: t('lastSignIn'), cell: ({ lastSeenAt }) => time(lastSeenAt) },
          {
            title: t('rememberedUntil'),
            cell: ({ rememberedUntil }) => (rememberedUntil ? time(rememberedUntil) : t('no')),
            isHiddenOnPhones: true,
          },
        ]}
      />
    </>
  )
}

import { useT } from '../../phrases.ts'
import { Page } from '../../ui/page.tsx'
import Invitations from '../invitations.tsx'
import { texts } from './phrases.ts'

/** Invites users, and lists their invitations. */
export default function InvitedUsers() {
  const t = useT(texts)
  return (
    <Page title={t('inviteUsers')} parent={{ href: '/users', title: t('users') }}>
      <Invitations kind="user" />
    </Page>
  )
}

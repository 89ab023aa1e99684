import type { z } from 'zod'
import type { Consent as ConsentSchema } from '../../../src/contract/applications/consents.schema.ts'
import { useChange } from '../../api/queries.ts'
import { phrases, useFormats, useT } from '../../phrases.ts'
import { useCan, usePermissions } from '../../session/permissions.tsx'
import { readAuthTime } from '../../session/session.ts'
import { chooseRemovalConfirmation } from '../../session/step-up.ts'
import { useRoleWords } from '../administrator-roles.ts'
import { RoleAssignment } from '../role-assignment.tsx'
import { roleChangePhrases } from '../role-change-phrases.ts'
import { RemovableList } from './removable-list.tsx'

type Consent = z.infer<typeof ConsentSchema>

/** Shows the user's roles, and the consents that the user has given to applications. */
export default function Access({ userId }: { userId: string }) {
  const t = useT(accessTexts)
  const { date, time } = useFormats()
  const path = `/users/${encodeURIComponent(userId)}`
  return (
    <>
      <Roles path={path} userId={userId} />
      <RemovableList<Consent>
        title={t('consents')}
        lead={t('consentsLead')}
        path={`${path}/consents`}
        keyOf={({ application }) => application.id}
        nameOf={({ application }) => application.name}
        empty={t('noConsents')}
        action={t('withdraw')}
        consequence={t('withdrawLead')}
        columns={[
          { title: t('application'), cell: ({ application }) => application.name },
          {
            title: t('granted'),
            cell: ({ scopes, claims, resources }) =>
              [...scopes, ...claims, ...resources.flatMap((resource) => resource.scopes)].join(' '),
            isHiddenOnPhones: true,
          },
          { title: t('since1'), cell: ({ grantedAt }) => date(grantedAt) },
          { title: t('lastUsed'), cell: ({ lastUsedAt }) => (lastUsedAt ? time(lastUsedAt) : '') },
        ]}
      />
    </>
  )
}

/**
 * Edits the roles of a user. The console asks for confirmation before a removal only if the role is the operator's own,
 * or if the operator's sign-in is so old that an undo would leave the page.
 */
function Roles({ path, userId }: { path: string; userId: string }) {
  const t = useT(accessTexts, roleChangePhrases)
  const { nameOf } = useRoleWords()
  const mayWrite = useCan('users:write')
  const { userId: ownId } = usePermissions()
  const change = useChange()
  const list = `${path}/roles`
  return (
    <RoleAssignment
      path={list}
      empty={t('noRoles')}
      mayWrite={mayWrite}
      assign={(id) =>
        change(list, { method: 'POST', body: { roleIds: [id] }, invalidates: [list, `/roles/${id}`] })
      }
      remove={(id) => change(`${list}/${id}`, { method: 'DELETE', invalidates: [list, `/roles/${id}`] })}
      askToRemove={async (role) => {
        const name = nameOf(role)
        const question = chooseRemovalConfirmation({
          isOwn: userId === ownId,
          authTime: await readAuthTime(),
        })
        if (question === 'old') return { title: `${t('removeRole')}: ${name}`, lead: t('oldSignIn') }
        if (question === null) return null
        return {
          title: t('takeOwnRole', { name }),
          lead: t('takeOwnRoleLead'),
          // Reload the console, because its contents depend on the user's own roles.
          onDone: () => window.location.reload(),
        }
      }}
    />
  )
}

/** The phrases about the roles and consents of a user. */
const accessTexts = phrases({
  en: {
    consents: 'Consents',
    consentsLead: 'What the user has allowed third-party applications to do.',
    granted: 'Allowed',
    noConsents: 'The user hasn’t given consent to any third-party application.',
    noRoles: 'The user has no roles.',
    since1: 'Since',
    takeOwnRole: 'Remove {name} from yourself?',
    takeOwnRoleLead:
      'You immediately lose this role’s permissions. You may not be able to assign it to yourself again; another administrator would have to.',
    withdraw: 'Withdraw',
    withdrawLead:
      'The application loses its tokens and all access that the user has allowed. At the next sign-in, the user is asked for consent again.',
  },
  de: {
    consents: 'Einwilligungen',
    consentsLead: 'Was der Benutzer Anwendungen von Dritten erlaubt hat.',
    granted: 'Erlaubt',
    noConsents: 'Der Benutzer hat keiner Anwendung von Dritten eine Einwilligung gegeben.',
    noRoles: 'Der Benutzer hat keine Rolle.',
    since1: 'Seit',
    takeOwnRole: '{name} bei sich selbst entfernen?',
    takeOwnRoleLead:
      'Sie verlieren sofort die Berechtigungen dieser Rolle. Vielleicht können Sie sie sich nicht wieder zuweisen; dann muss es ein anderer Administrator tun.',
    withdraw: 'Widerrufen',
    withdrawLead:
      'Die Anwendung verliert alles, was der Benutzer erlaubt hat, samt ihren Tokens. Bei der nächsten Anmeldung bittet sie erneut um Einwilligung.',
  },
})

import { useState } from 'react'
import type { z } from 'zod'
import type { Consent as ConsentSchema } from '../../../src/contract/applications/consents.schema.ts'
import { useApi, useChange } from '../../api/queries.ts'
import { phrases, useFormats, useT } from '../../phrases.ts'
import { isRoleAboveUser, useCanManage } from '../../session/authority.ts'
import { useCan, usePermissions } from '../../session/permissions.tsx'
import { readAuthTime } from '../../session/session.ts'
import { chooseRemovalConfirmation, requireStepUp } from '../../session/step-up.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Select } from '../../ui/fields.tsx'
import { Card, Loading } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { useNotify } from '../../ui/toast.tsx'
import { RemovableList } from './removable-list.tsx'
import { type Role, USER_ROLES_QUERY, useRoles } from './roles.ts'

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
 * Edits the roles of a user. Assigning a role requires a recent sign-in (spec/management#operator-proof), and so does
 * undoing a removal. The console therefore only asks for confirmation before a removal if the role is the operator's
 * own or the operator's sign-in is old.
 */
function Roles({ path, userId }: { path: string; userId: string }) {
  const t = useT(accessTexts)
  const mayWrite = useCan('users:write')
  const own = usePermissions()
  const notify = useNotify()
  const change = useChange()
  const all = useRoles()
  const [chosen, setChosen] = useState('')
  const chosenAuthority = useCanManage(chosen === '' ? [] : [chosen])
  const [pendingRemoval, setPendingRemoval] = useState<(Role & { question: 'own' | 'old' }) | null>(null)
  const list = `${path}/roles`
  const { data, error, refetch } = useApi<Role[]>(list, { query: USER_ROLES_QUERY })
  if (!data) return <Loading failure={error} onRetry={refetch} />
  const userRoles = data.data
  const others = (all ?? []).filter(
    ({ id }) => !userRoles.some((role) => role.id === id) && !isRoleAboveUser(id, own.scopes),
  )

  const give = (id: string) =>
    change(list, { method: 'POST', body: { roleIds: [id] }, invalidates: [list, `/roles/${id}`] })
  const take = (id: string) =>
    change(`${list}/${id}`, { method: 'DELETE', invalidates: [list, `/roles/${id}`] })
  const askOrTake = async ({ id, name }: Role) => {
    const question = chooseRemovalConfirmation({
      isOwn: userId === own.userId,
      authTime: await readAuthTime(),
    })
    if (question) return setPendingRemoval({ id, name, question })
    await take(id)
    notify.success(t('roleTaken', { name }), async () => {
      requireStepUp(await readAuthTime(), t('oldSignIn'))
      await give(id)
    })
  }

  const takeLabel = ({ name }: Role) => `${t('takeRole')}: ${name}`
  const button = {
    title: t('remove'),
    cell: (role: Role) => (
      <Button kind="quiet" aria-label={takeLabel(role)} onPress={() => askOrTake(role)}>
        {t('takeRole')}
      </Button>
    ),
  }
  const columns = [{ title: t('role'), cell: ({ name }: Role) => name }]
  return (
    <Card title={t('roles')}>
      <Table
        label={t('roles')}
        rows={userRoles}
        keyOf={({ id }) => id}
        empty={<p>{t('noRoles')}</p>}
        columns={mayWrite ? [...columns, button] : columns}
      />
      {mayWrite && others.length > 0 && (
        <div className="filters">
          <Select
            label={t('anotherRole')}
            value={chosen}
            options={[
              { value: '', label: t('choose') },
              ...others.map(({ id, name }) => ({ value: id, label: name })),
            ]}
            onChange={setChosen}
          />
          <Button
            isDisabled={chosen === '' || chosenAuthority.canManage !== true}
            onPress={async () => {
              const name = others.find(({ id }) => id === chosen)?.name ?? chosen
              await give(chosen)
              notify.success(t('roleGiven', { name }), async () => void (await take(chosen)))
              setChosen('')
            }}
          >
            {t('giveRole')}
          </Button>
          {chosen !== '' && chosenAuthority.canManage === false && <p className="hint">{t('roleIsAbove')}</p>}
          {chosenAuthority.failure && (
            <Loading failure={chosenAuthority.failure} onRetry={chosenAuthority.retry} />
          )}
        </div>
      )}
      {pendingRemoval && (
        <ConfirmDialog
          title={
            pendingRemoval.question === 'own'
              ? t('takeOwnRole', { name: pendingRemoval.name })
              : takeLabel(pendingRemoval)
          }
          lead={t(pendingRemoval.question === 'own' ? 'takeOwnRoleLead' : 'oldSignIn')}
          action={t('takeRole')}
          onClose={() => setPendingRemoval(null)}
          onConfirm={async () => {
            await take(pendingRemoval.id)
            // Reload the console, because its contents depend on the user's own roles.
            if (pendingRemoval.question === 'own') window.location.reload()
            else notify.success(t('roleTaken', { name: pendingRemoval.name }))
          }}
        />
      )}
    </Card>
  )
}

/** The phrases about the roles and consents of a user. */
const accessTexts = phrases({
  en: {
    anotherRole: 'Add a role',
    choose: 'Choose a role',
    consents: 'Consents',
    consentsLead: 'What the user has allowed third-party applications to do.',
    giveRole: 'Assign the role',
    granted: 'Allowed',
    noConsents: 'The user hasn’t given consent to any third-party application.',
    noRoles: 'The user has no roles.',
    oldSignIn: 'To assign it again, you have to sign in again, because your last sign-in was too long ago.',
    roleGiven: 'The user now has the role {name}',
    roleTaken: 'The user no longer has the role {name}',
    roleIsAbove: 'This role has permissions that your roles don’t, so you can’t assign it.',
    since1: 'Since',
    takeRole: 'Remove',
    takeOwnRole: 'Remove {name} from yourself?',
    takeOwnRoleLead:
      'You immediately lose this role’s permissions. You may not be able to assign it to yourself again; another administrator would have to.',
    withdraw: 'Withdraw',
    withdrawLead:
      'The application loses its tokens and all access that the user has allowed. At the next sign-in, the user is asked for consent again.',
  },
  de: {
    anotherRole: 'Weitere Rolle',
    choose: 'Rolle wählen',
    consents: 'Einwilligungen',
    consentsLead: 'Was der Benutzer Anwendungen von Dritten erlaubt hat.',
    giveRole: 'Rolle zuweisen',
    granted: 'Erlaubt',
    noConsents: 'Der Benutzer hat keiner Anwendung von Dritten eine Einwilligung gegeben.',
    noRoles: 'Der Benutzer hat keine Rolle.',
    oldSignIn:
      'Um sie wieder zuzuweisen, müssen Sie sich erneut anmelden: Ihre letzte Anmeldung liegt zu lange zurück.',
    roleGiven: 'Der Benutzer hat jetzt die Rolle {name}',
    roleTaken: 'Der Benutzer hat die Rolle {name} nicht mehr',
    roleIsAbove:
      'Diese Rolle hat Berechtigungen, die Ihre Rollen nicht haben. Sie können sie nicht zuweisen.',
    since1: 'Seit',
    takeRole: 'Entfernen',
    takeOwnRole: '{name} bei sich selbst entfernen?',
    takeOwnRoleLead:
      'Sie verlieren sofort die Berechtigungen dieser Rolle. Vielleicht können Sie sie sich nicht wieder zuweisen; dann muss es ein anderer Administrator tun.',
    withdraw: 'Widerrufen',
    withdrawLead:
      'Die Anwendung verliert alles, was der Benutzer erlaubt hat, samt ihren Tokens. Bei der nächsten Anmeldung bittet sie erneut um Einwilligung.',
  },
})

import { SECRET_PLACEHOLDER } from '../../src/contract/connectors/connectors.ts'
import { call } from '../api/client.ts'
import { useChange } from '../api/queries.ts'
import { useT } from '../phrases.ts'
import { permitsManagement, readRoleScopes } from '../session/authority.ts'
import { readAuthTime } from '../session/session.ts'
import { isRecentSignIn } from '../session/step-up.ts'
import { useRoleWords } from './administrator-roles.ts'
import type { RoleQuestion } from './role-change.tsx'
import { roleChangePhrases } from './role-change-phrases.ts'
import type { Role } from './roles.ts'

/**
 * Returns functions that change the roles of services, and the questions to ask first. A service that gains
 * permissions for the product's own APIs gets a new secret and loses its keys (spec/management#replaced-credentials),
 * so such a change can't be undone.
 */
export function useServiceRoles() {
  const t = useT(roleChangePhrases)
  const { nameOf, leadOf } = useRoleWords()
  const change = useChange()
  const readSecret = async (id: string) =>
    (await call<{ secret?: string }>(`/applications/${id}`)).data.secret ?? SECRET_PLACEHOLDER
  return {
    /** Assigns a role and returns the new secret of the service, or null if its secret is unchanged. */
    async assign(roleId: string, applicationId: string) {
      const isPromotion = permitsManagement(await readRoleScopes(roleId))
      const before = isPromotion ? await readSecret(applicationId) : null
      await change(`/roles/${roleId}/applications`, {
        method: 'POST',
        body: { applicationIds: [applicationId] },
        invalidates: [`/roles/${roleId}`, `/applications/${applicationId}`],
      })
      const after = isPromotion ? await readSecret(applicationId) : null
      return after === before || after === SECRET_PLACEHOLDER ? null : after
    },
    remove: (roleId: string, applicationId: string) =>
      change(`/roles/${roleId}/applications/${applicationId}`, {
        method: 'DELETE',
        invalidates: [`/roles/${roleId}`, `/applications/${applicationId}`],
      }),
    async askToAssign(service: string, role: Role): Promise<RoleQuestion | null> {
      const scopes = await readRoleScopes(role.id)
      if (!permitsManagement(scopes)) return null
      const may = leadOf(role.id) ?? t('permissionsOf', { scopes: scopes.map(({ name }) => name).join(', ') })
      return {
        title: t('askToAssign', { service, role: nameOf(role) }),
        lead: `${may} ${t('newSecretLead')}`,
      }
    },
    async askToRemove(service: string, role: Role): Promise<RoleQuestion | null> {
      const title = t('askToRemove', { service, role: nameOf(role) })
      if (permitsManagement(await readRoleScopes(role.id))) return { title, lead: t('removalLead') }
      return isRecentSignIn(await readAuthTime()) ? null : { title, lead: t('oldSignIn') }
    },
  }
}

import { addRoleMembers, listForRole, removeRoleMember } from '../../../application/access/role-links.ts'
import { redactUnmanageableSecrets } from '../../../application/applications/find.ts'
import type { Dependencies } from '../../../application/dependencies.ts'
import { requireOperatorStepUp } from '../../../application/sessions/step-up.ts'
import { ApplicationIds } from '../../../contract/access/roles.schema.ts'
import { ApplicationSchema } from '../../../contract/applications/applications.schema.ts'
import { listApplicationsOfRole } from '../../../storage/access/role-members.ts'
import { toHookDispatch } from '../change.ts'
import { readPage, setPageHeaders } from '../pagination.ts'
import { describeRecentSignIn, managementSubrouter } from '../router.ts'
import { declareRoleLinks } from './role-link-declaration.ts'

const links = declareRoleLinks({
  name: 'application',
  key: 'applicationId',
  listItem: ApplicationSchema,
  ids: ApplicationIds,
  filter: {},
  descriptions: {
    list:
      'Returns a page of the applications that have a role, most recently assigned first. Responds with ' +
      '404 `entity.not_exists_with_id` if the role is unknown.',
    add:
      'Assigns a role to up to 500 applications. The tokens that they get with the client credentials ' +
      'grant can carry the scopes of the role. An application that gains scopes of our own APIs gets a new ' +
      'secret and loses its keys. An application that already has the role keeps it. Responds with 404 ' +
      '`entity.not_exists_with_id` if the role or an application is unknown. ' +
      describeRecentSignIn(),
    remove:
      'Removes a role from one application: its next client credentials token no longer carries the scopes ' +
      'of the role. Responds with 404 `entity.not_found` if the application does not have the role.',
  },
})

/**
 * Creates the routes that assign a role to applications, whose client-credentials tokens then have its scopes
 * (spec/management#role-applications).
 */
export function roleApplicationRoutes(dependencies: Dependencies) {
  return managementSubrouter()
    .openapi(links.list, async (c) => {
      const { id: roleId } = c.req.valid('param')
      const { tenantId } = c.var
      const page = readPage(c)
      const list = listApplicationsOfRole(dependencies, tenantId, { ...page, roleId })
      const { applications, ...total } = await listForRole(dependencies, { tenantId, roleId }, list)
      setPageHeaders(c, page, { ...total, length: applications.length })
      return c.json(await redactUnmanageableSecrets(dependencies, c.var, applications), 200)
    })
    .openapi(links.add, async (c) => {
      const { id: roleId } = c.req.valid('param')
      const applicationIds = [...new Set(c.req.valid('json').applicationIds)]
      await requireOperatorStepUp(dependencies, c.var)
      const audit = links.audit(c, 'Update', { roleId, applicationIds })
      const kind = 'application'
      const { tenantId } = c.var
      const hooks = toHookDispatch(c)
      await addRoleMembers(dependencies, { tenantId, kind, roleId, memberIds: applicationIds, audit, hooks })
      return c.body(null, 201)
    })
    .openapi(links.remove, async (c) => {
      const { id: roleId, applicationId } = c.req.valid('param')
      const audit = links.audit(c, 'Update', { roleId, removedApplicationId: applicationId })
      const link = { roleId, memberId: applicationId }
      const hooks = toHookDispatch(c)
      await removeRoleMember(dependencies, {
        tenantId: c.var.tenantId,
        kind: 'application',
        link,
        audit,
        hooks,
      })
      return c.body(null, 204)
    })
}

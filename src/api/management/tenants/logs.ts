import { z } from 'zod'
import type { Dependencies } from '../../../application/dependencies.ts'
import type { ManagementArea } from '../../../contract/access/management-scopes.ts'
import { LogSchema } from '../../../contract/logs.schema.ts'
import { MANAGEMENT_SCOPE } from '../../../contract/product.ts'
import { refuseWith } from '../../../contract/refused.ts'
import { storableText } from '../../../contract/text.schema.ts'
import { hideChanges } from '../../../domain/audit-changes.ts'
import { getLog, listLogs } from '../../../storage/log-list.ts'
import { jsonResponse } from '../../guard.ts'
import type { AuditSubject } from '../change.ts'
import { pageResponse, paginationQuery, readPage, setPageHeaders } from '../pagination.ts'
import {
  createManagementCallDeclarer,
  hasScopeFor,
  idParam,
  type ManagementContext,
  type ManagementGuard,
  managementRouter,
} from '../router.ts'

const declareCall = createManagementCallDeclarer('Logs')

/** A time in milliseconds since the epoch, up to the last date that JavaScript can represent. */
const Time = z.coerce.number().int().min(0).max(8.64e15)
const LogResponse = LogSchema.meta({ id: 'Log' })

const listCall = declareCall({
  method: 'get',
  path: '/',
  operationId: 'listLogs',
  summary: 'List audit log entries',
  description:
    'Returns a page of the audit log, newest first: sign-ins, token requests, hook deliveries and ' +
    'changes through the API, including rejected ones. `by` finds what a user, an administrator or an ' +
    'application did, by their id, and `of` what concerns a user or an application; `by=system` finds the ' +
    'changes of the scheduled maintenance. `userId`, `applicationId`, `organizationId`, `interactionId` and ' +
    '`logKey` filter by exact values, `from` and `to` by time (epoch milliseconds, both included); an entry must match all ' +
    'filters that are given. Secrets are masked, and so are the values in `changes` for callers who may ' +
    'not read the changed entity.',
  request: {
    query: z.object({
      ...paginationQuery,
      by: storableText(128).optional(),
      of: storableText(128).optional(),
      userId: storableText(128).optional(),
      applicationId: storableText(128).optional(),
      organizationId: storableText(128).optional(),
      interactionId: storableText(128).optional(),
      logKey: storableText(128).optional(),
      from: Time.optional(),
      to: Time.optional(),
    }),
  },
  responses: { 200: pageResponse('A page of entries', LogResponse) },
})
const getCall = declareCall({
  method: 'get',
  path: '/{id}',
  operationId: 'getLog',
  summary: 'Get an audit log entry',
  description:
    'Returns one entry of the audit log by the id that the list shows. Responds with 404 ' +
    '`entity.not_exists_with_id` if the id is unknown or the entry was deleted after the retention time ' +
    'of the deployment.',
  request: { params: idParam },
  responses: { 200: jsonResponse('The entry', LogResponse) },
  refusals: [404],
})

export function logRoutes(dependencies: Dependencies, guard: ManagementGuard) {
  const { db } = dependencies

  return managementRouter(dependencies, guard)
    .openapi(listCall, async (c) => {
      const page = readPage(c)
      const { logKey: key, ...filters } = c.req.valid('query')
      const { by, of, userId, applicationId, organizationId, interactionId, from, to } = filters
      const filter = { by, of, userId, applicationId, organizationId, interactionId, key, from, to }
      const { logs, ...total } = await listLogs(db, c.var.tenantId, { ...page, ...filter })
      setPageHeaders(c, page, { ...total, length: logs.length })
      return c.json(
        logs.map((log) => visibleLog(c, log)),
        200,
      )
    })
    .openapi(getCall, async (c) => {
      const { id } = c.req.valid('param')
      const log = await getLog(db, c.var.tenantId, id)
      return log ? c.json(visibleLog(c, log), 200) : refuseWith('entity.not_exists_with_id', { id })
    })
}

/** The area whose scope for reading a caller needs to see the values of changed fields. */
const areas: Readonly<Record<AuditSubject, ManagementArea | null>> = {
  Application: 'applications',
  Config: 'settings',
  Connector: 'connectors',
  Consent: 'users',
  CustomPhrases: 'experience',
  Hook: 'hooks',
  Invitation: 'users',
  OrganizationDomain: 'organizations',
  Organization: 'organizations',
  OrganizationApplication: 'organizations',
  OrganizationMember: 'organizations',
  OrganizationRole: 'roles',
  OrganizationScope: 'roles',
  OrganizationInvitation: 'organizations',
  RegistrationToken: 'applications',
  Resource: 'roles',
  Role: 'roles',
  Scope: 'roles',
  SignInExperience: 'experience',
  SignInTest: 'connectors',
  SigningKeys: 'settings',
  Tenant: null,
  User: 'users',
  UserAsset: 'experience',
}

/** Hides the values of changed fields from callers who may not read the entity (spec/management#audit-changes). */
function visibleLog<Log extends z.infer<typeof LogSchema>>(c: ManagementContext, log: Log): Log {
  const { changes } = log.payload
  if (!changes || mayRead(c, log.key)) return log
  return { ...log, payload: { ...log.payload, changes: hideChanges(changes) } }
}

function mayRead(c: ManagementContext, key: string): boolean {
  const [, subject = ''] = key.split('.')
  const area = new Map(Object.entries(areas)).get(subject)
  return hasScopeFor(c, area ? `${area}:read` : MANAGEMENT_SCOPE.name)
}

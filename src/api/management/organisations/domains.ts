import { z } from 'zod'
import type { Dependencies } from '../../../application/dependencies.ts'
import { refuseUnknownOrganization } from '../../../application/organisations/acting-party.ts'
import {
  addDomain,
  changeDomain,
  removeDomain,
  verifyDomain,
} from '../../../application/organisations/domains.ts'
import { requireOperatorStepUp } from '../../../application/sessions/step-up.ts'
import {
  type OrganizationDomain,
  OrganizationDomainCreation,
  OrganizationDomainPatch,
  OrganizationDomainSchema,
} from '../../../contract/organisations/domains.schema.ts'
import { proofRecord, toCanonicalDomain } from '../../../contract/organisations/domains.ts'
import { refuseWith } from '../../../contract/refused.ts'
import { storableText } from '../../../contract/text.schema.ts'
import { readTogether } from '../../../storage/batches.ts'
import { organizationPartId } from '../../../storage/entity-versions.ts'
import {
  type DomainKey,
  type DomainRow,
  domainQuery,
  domainsQuery,
} from '../../../storage/organisations/domains.ts'
import { organizationQuery } from '../../../storage/organisations/organizations.ts'
import { jsonResponse } from '../../guard.ts'
import { declareVersionedSubresource } from '../access/resource-declaration.ts'
import { readPreconditions, withEtag } from '../conflicts.ts'
import {
  createManagementCallDeclarer,
  describeRecentSignIn,
  type ManagementContext,
  managementSubrouter,
} from '../router.ts'

const tag = 'Organizations'
const declareCall = createManagementCallDeclarer(tag)
const domain = declareVersionedSubresource('domain', {
  tag,
  name: 'domain',
  entity: OrganizationDomainSchema,
  subject: 'OrganizationDomain',
})
const organizationParam = z.object({ id: storableText(128) })
const domainParams = organizationParam.extend({ domain: storableText(254) })

const listCall = declareCall({
  method: 'get',
  path: '/',
  operationId: 'listOrganizationDomains',
  summary: 'List the domains of an organization',
  description:
    'Returns all domains of an organization, at most 50, by name. Responds with 404 ' +
    '`entity.not_exists_with_id` if the organization is unknown.',
  request: { params: organizationParam },
  responses: { 200: jsonResponse('The domains', z.array(OrganizationDomainSchema)) },
  refusals: [404],
})
const createCall = domain.create({
  operationId: 'createOrganizationDomain',
  summary: 'Add a domain to an organization',
  description:
    'Adds a domain, which does nothing until the TXT record `record` is found. `join` says what a proved domain ' +
    'does for people with a verified address of it: nothing (`off`), suggest to join (`suggest`), or make them ' +
    'members with the roles `roleIds` (`automatic`). Errors: 422 `organization.domain_not_allowed` for public ' +
    'suffixes and mail providers, 422 `organization.domain_in_use` if another organization has proved the domain ' +
    'or one of which it is a subdomain, 422 `entity.id_in_use` if the organization has it already, 422 ' +
    '`organization.domain_limit_reached` for more than 50 domains, 404 `entity.not_exists_with_id` if the organization ' +
    'or a role is unknown. ' +
    describeRecentSignIn(),
  body: OrganizationDomainCreation,
})
const getCall = domain.read({
  operationId: 'getOrganizationDomain',
  summary: 'Get a domain of an organization',
  description:
    'Returns a domain with the record that proves it. Responds with 404 `entity.not_found` if it is unknown.',
})
const updateCall = domain.update({
  operationId: 'updateOrganizationDomain',
  summary: 'Change a domain of an organization',
  description:
    'Changes who joins by the domain, and with which roles. Members who have joined keep their roles. ' +
    describeRecentSignIn(),
  body: OrganizationDomainPatch,
})
const deleteCall = domain.delete({
  operationId: 'deleteOrganizationDomain',
  summary: 'Remove a domain from an organization',
  description: 'Removes a domain with its proof. Members who joined by it remain.',
})
const verifyCall = declareCall({
  method: 'post',
  path: '/{domain}/verification',
  operationId: 'verifyOrganizationDomain',
  summary: 'Check the record of a domain now',
  description:
    'Looks up the TXT record with two resolvers, which have to agree. Responds with 422 ' +
    '`organization.domain_unproved` with the `reason` `missing`, `disagreement` or `unavailable`, and with 422 ' +
    '`organization.domain_in_use` if another organization has proved the domain meanwhile. A proved domain is ' +
    'checked again every week. ' +
    describeRecentSignIn(),
  request: { params: domainParams },
  responses: { 200: jsonResponse('The domain', OrganizationDomainSchema) },
  refusals: [404, 422],
})

/** Serves the domains of one organisation (spec/organisations#domains). The parent router authorizes the calls. */
export function organizationDomainRoutes(dependencies: Dependencies) {
  const { db } = dependencies
  const by = { kind: 'operator' } as const
  const read = async (key: DomainKey) => {
    const [row] = await domainQuery(db, key)
    return row ? toDomain(row) : refuseWith('entity.not_found')
  }
  /** A domain may be written in any form. A text that is no domain is the key of none. */
  const keyOf = (tenantId: string, { id, domain: text }: { id: string; domain: string }): DomainKey => ({
    tenantId,
    organizationId: id,
    domain: toCanonicalDomain(text) ?? text,
  })

  const preconditionsOf = (c: ManagementContext, key: DomainKey) =>
    readPreconditions(dependencies, c, {
      subject: 'OrganizationDomain',
      id: organizationPartId(key.organizationId, key.domain),
      find: () => read(key),
    })

  return managementSubrouter()
    .openapi(listCall, async (c) => {
      const key = { tenantId: c.var.tenantId, organizationId: c.req.valid('param').id }
      const { organizations, domains } = await readTogether(db, {
        organizations: organizationQuery(db, key),
        domains: domainsQuery(db, key),
      })
      if (organizations.length === 0) refuseUnknownOrganization(by, key.organizationId)
      return c.json(domains.map(toDomain), 200)
    })
    .openapi(createCall, async (c) => {
      const { id: organizationId } = c.req.valid('param')
      const creation = c.req.valid('json')
      const key = { tenantId: c.var.tenantId, organizationId }
      await requireOperatorStepUp(dependencies, c.var)
      const audit = domain.audit(c, 'Create', { organizationId })
      await addDomain(dependencies, key, { by, audit, creation })
      return c.json(await read({ ...key, domain: creation.domain }), 200)
    })
    .openapi(getCall, async (c) => {
      const key = keyOf(c.var.tenantId, c.req.valid('param'))
      return c.json(await withEtag(c, await read(key)), 200)
    })
    .openapi(updateCall, async (c) => {
      const key = keyOf(c.var.tenantId, c.req.valid('param'))
      const changes = c.req.valid('json')
      await requireOperatorStepUp(dependencies, c.var)
      const preconditions = await preconditionsOf(c, key)
      const audit = domain.audit(c, 'Update', { organizationId: key.organizationId }, changes)
      await changeDomain(dependencies, key, { by, audit, changes, preconditions })
      return c.json(await withEtag(c, await read(key)), 200)
    })
    .openapi(deleteCall, async (c) => {
      const key = keyOf(c.var.tenantId, c.req.valid('param'))
      const preconditions = await preconditionsOf(c, key)
      const audit = domain.audit(c, 'Delete', { organizationId: key.organizationId })
      await removeDomain(dependencies, key, { by, audit, preconditions })
      return c.body(null, 204)
    })
    .openapi(verifyCall, async (c) => {
      const key = keyOf(c.var.tenantId, c.req.valid('param'))
      await requireOperatorStepUp(dependencies, c.var)
      const audit = domain.audit(c, 'Update', { organizationId: key.organizationId })
      await verifyDomain(dependencies, key, { by, audit })
      return c.json(await read(key), 200)
    })
}

const toDomain = ({ organizationId: _organizationId, token, ...row }: DomainRow): OrganizationDomain => ({
  ...row,
  record: proofRecord({ domain: row.domain, token }),
})

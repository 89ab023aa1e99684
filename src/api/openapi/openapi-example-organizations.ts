import { createdAt, ids, tenantId } from './openapi-example-facts.ts'
import { user } from './openapi-example-users.ts'

/** The examples of the calls on organisations, with a fictional customer of the web shop. */

const organization = {
  tenantId,
  id: ids.organization,
  name: 'Acme',
  description: 'A customer of the web shop',
  customData: { customerNumber: 4711 },
  policy: { secondFactor: 'required', networks: ['203.0.113.0/24'] },
  brand: { color: '#0a6e5c', isPublic: true },
  createdAt,
  createdBy: null,
}
const organizationRole = {
  tenantId,
  id: ids.organizationRole,
  name: 'administrator',
  description: 'Manages the members',
  permissions: ['members:read', 'members:manage'],
}
const organizationScope = {
  tenantId,
  id: ids.organizationScope,
  name: 'read:invoices',
  description: 'See invoices',
}
const memberRoles = [{ id: ids.organizationRole, name: 'administrator', sources: ['manual'] }]
const organizationMember = { user, roles: memberRoles, sources: ['manual'], joinedAt: createdAt }
const organizationApplication = {
  id: ids.application,
  name: 'Invoice robot',
  description: null,
  type: 'MachineToMachine',
  roles: [{ id: ids.organizationRole, name: 'administrator' }],
  joinedAt: createdAt,
}
const organizationOfUser = {
  id: ids.organization,
  name: 'Acme',
  description: 'A customer of the web shop',
  roles: memberRoles,
  sources: ['manual'],
  joinedAt: createdAt,
}
const myOrganization = {
  id: ids.organization,
  name: 'Acme',
  roles: [{ id: ids.organizationRole, name: 'administrator' }],
}
const organizationResourceScope = {
  tenantId,
  id: ids.scope,
  resourceId: ids.resource,
  name: 'read:orders',
  description: 'See orders',
  createdAt,
  resourceName: 'Orders',
  indicator: 'https://api.example.com/orders',
}

/** The examples of JSON bodies. */
export const organizationBodies = {
  'POST /organizations': {
    name: 'Acme',
    description: organization.description,
    customData: organization.customData,
    policy: organization.policy,
    brand: organization.brand,
    ownerId: ids.user,
  },
  'PATCH /organizations/{id}': { name: 'Acme Ltd', description: null },
  'POST /organizations/{id}/users': { userIds: [ids.user], roleIds: [ids.organizationRole] },
  'PUT /organizations/{id}/users/{userId}/roles': { roleIds: [ids.organizationRole] },
  'POST /organizations/{id}/applications': {
    applicationIds: [ids.application],
    roleIds: [ids.organizationRole],
  },
  'PUT /organizations/{id}/applications/{applicationId}/roles': { roleIds: [ids.organizationRole] },
  'POST /organization-roles': { name: 'administrator', permissions: ['members:read', 'members:manage'] },
  'PATCH /organization-roles/{id}': { description: 'Manages members and settings' },
  'POST /organization-roles/{id}/scopes': { scopeIds: [ids.organizationScope] },
  'POST /organization-roles/{id}/resource-scopes': { scopeIds: [ids.scope] },
  'POST /organization-scopes': { name: 'read:invoices', description: 'See invoices' },
  'PATCH /organization-scopes/{id}': { description: 'See all invoices' },
  'POST /me/organizations': { name: 'Acme' },
}

/** The examples of 200 responses. */
export const organizationAnswers = {
  'GET /organizations': [organization],
  'POST /organizations': organization,
  'GET /organizations/{id}': organization,
  'PATCH /organizations/{id}': { ...organization, name: 'Acme Ltd', description: null },
  'GET /organizations/{id}/users': [organizationMember],
  'GET /organizations/{id}/users/{userId}': organizationMember,
  'GET /organizations/{id}/users/{userId}/roles': memberRoles,
  'PUT /organizations/{id}/users/{userId}/roles': memberRoles,
  'GET /organizations/{id}/applications': [organizationApplication],
  'GET /organizations/{id}/applications/{applicationId}/roles': organizationApplication.roles,
  'PUT /organizations/{id}/applications/{applicationId}/roles': organizationApplication.roles,
  'GET /organization-roles': [organizationRole],
  'POST /organization-roles': organizationRole,
  'GET /organization-roles/{id}': organizationRole,
  'PATCH /organization-roles/{id}': {
    ...organizationRole,
    description: 'Manages members and settings',
  },
  'GET /organization-roles/{id}/scopes': [organizationScope],
  'GET /organization-roles/{id}/resource-scopes': [organizationResourceScope],
  'GET /organization-scopes': [organizationScope],
  'POST /organization-scopes': organizationScope,
  'GET /organization-scopes/{id}': organizationScope,
  'PATCH /organization-scopes/{id}': { ...organizationScope, description: 'See all invoices' },
  'GET /users/{id}/organizations': [organizationOfUser],
  'GET /me/organizations': [myOrganization],
  'POST /me/organizations': { ...myOrganization, roles: [{ id: 'owner', name: 'owner' }] },
}

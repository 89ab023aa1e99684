import { Domains, type ListedDomain } from '../../../client/account/organisations/domains.tsx'
import {
  addDomain,
  changeDomain,
  removeDomain,
  verifyDomain,
} from '../../application/organisations/domains.ts'
import { requireStepUp } from '../../application/sessions/step-up.ts'
import {
  OrganizationDomainCreation,
  OrganizationDomainPatch,
} from '../../contract/organisations/domains.schema.ts'
import { proofRecord } from '../../contract/organisations/domains.ts'
import { describedRolesQuery } from '../../storage/organisations/authority.ts'
import { type DomainRow, domainsQuery } from '../../storage/organisations/domains.ts'
import type { AccountPage, FormResult } from '../account/page.ts'
import type { OpenSubmission } from '../account/submission.ts'
import { beginMemberChange, parseFields, textOf } from './organization-change.ts'
import { memberQueries, organizationIdIn, requireMember, toRoleOptions } from './organization-visit.ts'

export const organizationDomainsPage: AccountPage = {
  async show(visit) {
    const { dependencies, tenantId, url } = visit
    const { db } = dependencies
    const { signedIn, rows } = await visit.readList((userId) => ({
      ...memberQueries(visit, userId),
      roles: describedRolesQuery(db, tenantId),
      domains: domainsQuery(db, { tenantId, organizationId: organizationIdIn(url) }),
    }))
    const { organization, own } = requireMember(rows, 'domains:manage')
    const domains = rows.domains.map(({ domain, token, verifiedAt, missedAt, ...row }) => ({
      ...row,
      domain,
      record: proofRecord({ domain, token }),
      state: stateOf({ verifiedAt, missedAt }),
    }))
    const body = <Domains domains={domains} roles={toRoleOptions(rows.roles, own)} />
    return { title: 'domains', about: organization.name, signedIn, body }
  },
  actions: { add, check, change, remove },
}

function stateOf({
  verifiedAt,
  missedAt,
}: Pick<DomainRow, 'verifiedAt' | 'missedAt'>): ListedDomain['state'] {
  if (verifiedAt === null) return 'unproved'
  return missedAt === null ? 'proved' : 'missing'
}

async function add(submission: OpenSubmission): Promise<FormResult> {
  const creation = await parseFields(submission, {
    schema: OrganizationDomainCreation,
    values: { domain: textOf(submission, 'domain') },
    labels: { domain: 'domain' },
  })
  const { tenantId, organizationId, by, audit } = beginMemberChange(
    submission,
    'Account.OrganizationDomain.Create',
  )
  await addDomain(submission.dependencies, { tenantId, organizationId }, { by, audit, creation })
  return { message: 'domain_added' }
}

function beginDomainChange(submission: OpenSubmission, action: 'Update' | 'Delete') {
  const { tenantId, organizationId, by, audit } = beginMemberChange(
    submission,
    `Account.OrganizationDomain.${action}`,
  )
  const domain = submission.form.get('id') ?? ''
  return { key: { tenantId, organizationId, domain }, change: { by, audit } }
}

async function check(submission: OpenSubmission): Promise<FormResult> {
  const { key, change } = beginDomainChange(submission, 'Update')
  await verifyDomain(submission.dependencies, key, change)
  return { message: 'domain_checked' }
}

/** Decides who joins by the domain and with which roles, so this needs a recent sign-in. */
async function change(submission: OpenSubmission): Promise<FormResult> {
  const { dependencies, tenantId, signedIn, form } = submission
  const changes = await parseFields(submission, {
    schema: OrganizationDomainPatch,
    values: { join: textOf(submission, 'join'), roleIds: form.getAll('roleIds') },
    labels: { join: 'domain_join', roleIds: 'roles' },
  })
  const { key, change: by } = beginDomainChange(submission, 'Update')
  await requireStepUp(dependencies, tenantId, signedIn)
  await changeDomain(dependencies, key, { ...by, changes })
  return { message: 'saved' }
}

async function remove(submission: OpenSubmission): Promise<FormResult> {
  const { key, change } = beginDomainChange(submission, 'Delete')
  await removeDomain(submission.dependencies, key, change)
  return { message: 'domain_removed' }
}

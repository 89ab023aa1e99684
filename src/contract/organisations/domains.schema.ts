import { z } from 'zod'
import { storableText } from '../text.schema.ts'
import { toCanonicalDomain } from './domains.ts'
import { OrganizationRoleIds } from './invitations.schema.ts'
import { domainJoinModes } from './organizations.ts'

/** A domain name in its stored form (spec/organisations#domains). */
const Domain = storableText(254)
  .meta({ description: 'Rejected if it is not a domain name.' })
  .transform((value, context) => {
    const domain = toCanonicalDomain(value)
    if (domain !== null) return domain
    context.addIssue({ code: 'custom', message: 'is not a domain name' })
    return z.NEVER
  })

/** A domain of an organisation as the API returns it. */
export const OrganizationDomainSchema = z
  .object({
    domain: z.string(),
    /** The TXT record that proves the domain. */
    record: z.object({ name: z.string(), type: z.literal('TXT'), value: z.string() }),
    join: z.enum(domainJoinModes),
    roleIds: z.array(z.string()),
    createdAt: z.number(),
    verifiedAt: z.number().nullable(),
    checkedAt: z.number().nullable(),
    /** The time since which the record of a proved domain is missing. */
    missedAt: z.number().nullable(),
  })
  .meta({ id: 'OrganizationDomain' })
export type OrganizationDomain = z.infer<typeof OrganizationDomainSchema>

const joining = { join: z.enum(domainJoinModes), roleIds: OrganizationRoleIds }

/** The body of POST /organizations/{id}/domains. */
export const OrganizationDomainCreation = z
  .strictObject({ domain: Domain, join: joining.join.default('off'), roleIds: joining.roleIds.default([]) })
  .meta({ id: 'OrganizationDomainCreation' })
export type OrganizationDomainCreation = z.infer<typeof OrganizationDomainCreation>

/** The body of PATCH /organizations/{id}/domains/{domain}. */
export const OrganizationDomainPatch = z
  .strictObject(joining)
  .partial()
  .meta({ id: 'OrganizationDomainPatch' })
export type OrganizationDomainPatch = z.infer<typeof OrganizationDomainPatch>

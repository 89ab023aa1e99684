import { OrganizationSettings } from '../../../client/account/organisations/settings.tsx'
import { changeOrganization } from '../../application/organisations/organizations.ts'
import { requireStepUp } from '../../application/sessions/step-up.ts'
import { OrganizationName } from '../../contract/organisations/organizations.schema.ts'
import {
  OrganizationBrandInput,
  OrganizationPolicyInput,
} from '../../contract/organisations/policy.schema.ts'
import { storableText } from '../../contract/text.schema.ts'
import type { AccountPage, FormResult } from '../account/page.ts'
import type { OpenSubmission } from '../account/submission.ts'
import { beginMemberChange, parseFields, textOf } from './organization-change.ts'
import { memberQueries, requireMember } from './organization-visit.ts'

export const organizationSettingsPage: AccountPage = {
  async show(visit) {
    const { signedIn, rows } = await visit.read((userId) => memberQueries(visit, userId))
    const { organization } = requireMember(rows, 'settings:manage')
    const { name, description, brand, policy } = organization
    const body = <OrganizationSettings {...{ name, description, brand, policy }} />
    return { title: 'settings', about: name, signedIn, body }
  },
  actions: { save: saveBrand, savePolicy },
}

const BrandForm = OrganizationBrandInput.extend({
  name: OrganizationName,
  description: storableText(256).transform((text) => text || null),
})

/** Saves the name, the description and the brand. Empty fields remove their value. */
async function saveBrand(submission: OpenSubmission): Promise<FormResult> {
  const filled = (name: string) => textOf(submission, name) || undefined
  const { name, description, ...brand } = await parseFields(submission, {
    schema: BrandForm,
    values: {
      name: textOf(submission, 'name'),
      description: textOf(submission, 'description'),
      logo: filled('logo'),
      logoDark: filled('logoDark'),
      color: filled('color'),
      isPublic: submission.form.has('isPublic'),
    },
    labels: {
      name: 'organization_name',
      description: 'organization_description',
      logo: 'logo',
      logoDark: 'logo_dark',
      color: 'color',
    },
  })
  const change = beginMemberChange(submission, 'Account.Organization.Update')
  await changeOrganization(submission.dependencies, { ...change, changes: { name, description, brand } })
  return { message: 'saved' }
}

/** Saves how members sign in. The policy can lock members out or let them in, so this needs a recent sign-in. */
async function savePolicy(submission: OpenSubmission): Promise<FormResult> {
  const { dependencies, tenantId, signedIn, form } = submission
  const seconds = textOf(submission, 'sessionMaxAgeSeconds')
  const methods = form.getAll('methods')
  const networks = textOf(submission, 'networks').split(/\s+/).filter(Boolean)
  const policy = await parseFields(submission, {
    schema: OrganizationPolicyInput,
    values: {
      secondFactor: textOf(submission, 'secondFactor') || undefined,
      sessionMaxAgeSeconds: seconds ? Number(seconds) : undefined,
      methods: methods.length > 0 ? methods : undefined,
      networks: networks.length > 0 ? networks : undefined,
    },
    labels: {
      secondFactor: 'factors',
      sessionMaxAgeSeconds: 'session_length',
      methods: 'organization_methods',
      networks: 'networks',
    },
  })
  const change = beginMemberChange(submission, 'Account.Organization.Update')
  await requireStepUp(dependencies, tenantId, signedIn)
  await changeOrganization(dependencies, { ...change, changes: { policy } })
  return { message: 'saved' }
}

import type { AccountPage } from '../account/page.ts'
import { organizationActivityPage } from './activity-page.tsx'
import { organizationDomainsPage } from './domains-page.tsx'
import { organizationInvitationsPage } from './invitations-page.tsx'
import { organizationMembersPage } from './members-page.tsx'
import { organizationPage } from './organization-page.tsx'
import { organizationPattern } from './organization-visit.ts'
import { organizationsPage } from './organizations-page.tsx'
import { organizationSettingsPage } from './settings-page.tsx'

export { toPagePattern } from './organization-visit.ts'

/** The pages about organisations, keyed by path (spec/organisations#account-centre). */
export const organizationPages: Readonly<Record<string, AccountPage>> = {
  '/account/organizations': organizationsPage,
  [organizationPattern]: organizationPage,
  [`${organizationPattern}/members`]: organizationMembersPage,
  [`${organizationPattern}/invitations`]: organizationInvitationsPage,
  [`${organizationPattern}/domains`]: organizationDomainsPage,
  [`${organizationPattern}/activity`]: organizationActivityPage,
  [`${organizationPattern}/settings`]: organizationSettingsPage,
}

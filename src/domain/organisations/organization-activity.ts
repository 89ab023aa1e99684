/** The kinds of events in the list of what happened in an organisation (spec/organisations#account-centre). */
export type OrganizationEventKind =
  | 'created'
  | 'changed'
  | 'joined'
  | 'added'
  | 'rolesChanged'
  | 'removed'
  | 'left'
  | 'invited'
  | 'invitationSent'
  | 'invitationEnded'
  | 'domainAdded'
  | 'domainChanged'
  | 'domainRemoved'
  | 'applicationsChanged'

/** The kinds by the end of the audit key. Members and operators make the same changes with keys of their own. */
const kinds: Readonly<Record<string, OrganizationEventKind>> = {
  'Organization.Create': 'created',
  'Organization.Update': 'changed',
  'OrganizationMember.Create': 'added',
  'OrganizationMember.Update': 'rolesChanged',
  'OrganizationMember.Delete': 'removed',
  'OrganizationInvitation.Create': 'invited',
  'OrganizationInvitation.Update': 'invitationSent',
  'OrganizationInvitation.Delete': 'invitationEnded',
  'OrganizationDomain.Create': 'domainAdded',
  'OrganizationDomain.Update': 'domainChanged',
  'OrganizationDomain.Delete': 'domainRemoved',
  'OrganizationApplication.Create': 'applicationsChanged',
  'OrganizationApplication.Update': 'applicationsChanged',
  'OrganizationApplication.Delete': 'applicationsChanged',
  'Invitation.Accept': 'joined',
}

/** The keys of the audit rows that the list shows. */
export const organizationEventKeys: readonly string[] = Object.keys(kinds).flatMap((key) => [
  `Account.${key}`,
  `Management.${key}`,
])

/**
 * Returns the kind of an audit row that the list shows. `memberId` is the member whom a change concerns; without one,
 * users have changed their own membership.
 */
export function classifyOrganizationEvent(key: string, memberId: string | null): OrganizationEventKind {
  const kind = kinds[key.slice(key.indexOf('.') + 1)] ?? 'changed'
  if (key.startsWith('Management.') || memberId !== null) return kind
  return kind === 'added' ? 'joined' : kind === 'removed' ? 'left' : kind
}

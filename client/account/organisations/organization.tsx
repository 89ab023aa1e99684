import type { ReactNode } from 'react'
import type {
  OrganizationBrand,
  OrganizationPermission,
} from '../../../src/contract/organisations/organizations.ts'
import { AlertIcon, EnvelopeIcon, GlobeIcon, ShieldIcon } from '../../ui/icons.tsx'
import { useTexts } from '../account-view.tsx'
import { Confirmation, DeletionForm } from '../deletion-form.tsx'
import { ActivityIcon, LeaveIcon, MembersIcon, SettingsIcon, TrashIcon } from '../icons.tsx'
import { Heading } from '../parts.tsx'
import { Row, Rows } from '../rows.tsx'
import { RoleNames } from './organization-parts.tsx'
import { ORGANIZATIONS_PATH } from './organizations.tsx'

/** The queries with which the page asks to confirm that the user leaves or deletes the organisation. */
export const LEAVE_QUERY = '?edit=leave'
export const DELETION_QUERY = '?edit=delete'

export type OrganizationProps = {
  id: string
  name: string
  description: string | null
  brand: OrganizationBrand
  roleNames: readonly string[]
  /** The permissions of the user's roles. */
  permissions: readonly OrganizationPermission[]
  isOwner: boolean
  counts: { members: number; invitations: number; domains: number }
  /** The form with which the page asks for a confirmation, or null. */
  confirming: 'leave' | 'delete' | null
}

/** Shows an organisation to its member, with the pages that the member's roles permit. */
export function Organization({ confirming, ...organization }: OrganizationProps) {
  const t = useTexts()
  const { id, name, description, brand, roleNames, isOwner } = organization
  const path = `${ORGANIZATIONS_PATH}/${id}`
  return (
    <>
      <div className="account-owner">
        {brand.logo && <img className="organization-logo" src={brand.logo} alt="" width={72} height={72} />}
        <Heading title={<bdi>{name}</bdi>} lead={description && <bdi>{description}</bdi>} />
      </div>
      {confirming === 'leave' && <LeaveForm path={path} />}
      {confirming === 'delete' && (
        <DeletionForm
          title={t('organization_delete')}
          warnings={[t('organization_delete_lead'), t('delete_now')]}
          name={name}
          backTo={path}
        />
      )}
      <Rows>
        <Row icon={<ShieldIcon />} title={t('own_roles')} value={<RoleNames names={roleNames} />} />
        <Sections path={path} {...organization} />
      </Rows>
      {confirming === null && (
        <Rows>
          <Row icon={<LeaveIcon />} title={t('organization_leave')} to={path + LEAVE_QUERY} />
          {isOwner && (
            <Row icon={<TrashIcon />} title={t('organization_delete')} to={path + DELETION_QUERY} />
          )}
        </Rows>
      )}
    </>
  )
}

type SectionProps = Pick<OrganizationProps, 'permissions' | 'counts'> & { path: string }

/** The pages below this one, each with a value. */
function Sections({ path, permissions, counts }: SectionProps) {
  const t = useTexts()
  const sections: {
    needs: OrganizationPermission
    to: string
    icon: ReactNode
    title: string
    value: string
  }[] = [
    {
      needs: 'members:read',
      to: 'members',
      icon: <MembersIcon />,
      title: t('members'),
      value: t('member_count', { count: counts.members }),
    },
    {
      needs: 'members:manage',
      to: 'invitations',
      icon: <EnvelopeIcon />,
      title: t('invitations'),
      value: t('invitation_count', { count: counts.invitations }),
    },
    {
      needs: 'domains:manage',
      to: 'domains',
      icon: <GlobeIcon />,
      title: t('domains'),
      value: t('domain_count', { count: counts.domains }),
    },
    {
      needs: 'settings:manage',
      to: 'settings',
      icon: <SettingsIcon />,
      title: t('settings'),
      value: t('settings_lead'),
    },
    {
      needs: 'log:read',
      to: 'activity',
      icon: <ActivityIcon />,
      title: t('activity'),
      value: t('organization_activity_lead'),
    },
  ]
  return sections
    .filter(({ needs }) => permissions.includes(needs))
    .map(({ to, icon, title, value }) => (
      <Row key={to} icon={icon} title={title} value={value} to={`${path}/${to}`} />
    ))
}

function LeaveForm({ path }: { path: string }) {
  const t = useTexts()
  return (
    <section className="account-group" aria-labelledby="leave">
      <h2 id="leave">{t('organization_leave')}</h2>
      <form method="post" className="account-card account-form profile-form">
        <div className="profile-warning">
          <AlertIcon />
          <p>{t('organization_leave_lead')}</p>
        </div>
        <Confirmation intent="leave" text={t('organization_leave')} backTo={path} />
      </form>
    </section>
  )
}

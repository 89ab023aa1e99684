import type { ReactNode } from 'react'
import type { Protection } from '../../src/domain/account/protection.ts'
import { withLink } from '../ui/rich-text.tsx'
import { useSections } from './account-frame.tsx'
import { useTexts } from './account-view.tsx'
import { Avatar } from './avatar.tsx'
import { Dotted } from './dotted.tsx'
import { FormattedDate, Heading } from './parts.tsx'
import { ProtectionCard } from './protection.tsx'
import { RelativeTime } from './relative-time.tsx'
import { EmailText, PhoneText, Row, Rows } from './rows.tsx'

type Owner = {
  name: string | null
  username: string | null
  avatar: string | null
  primaryEmail: string | null
  /** The phone number as users read it. */
  phone: string | null
  createdAt: number
  lastSignInAt: number | null
}

type OverviewProps = {
  user: Owner
  protection: Protection
  /** The number of backup codes left. */
  codes: number
  sessionCount: number
  /** The number of apps that have access to the account. */
  applicationCount: number
  organizationCount: number
  /** True if the user requested the deletion of the account but has signed in since. */
  isDeletionCanceled: boolean
}

/**
 * Shows who is signed in, how well the account is protected, and the sections of the account centre with what is in
 * them (spec/account-centre#overview).
 */
export function Overview({
  user,
  protection,
  codes,
  sessionCount,
  applicationCount,
  organizationCount,
  isDeletionCanceled,
}: OverviewProps) {
  const t = useTexts()
  const { name, username, primaryEmail, phone, avatar } = user
  const title = name ?? username ?? primaryEmail ?? phone
  const lead = [primaryEmail, phone, username].find((value) => value !== null && value !== title)
  return (
    <>
      {isDeletionCanceled && (
        <p className="account-flash" role="status">
          {t('deletion_cancelled')}
        </p>
      )}
      <div className="account-owner">
        <Avatar avatar={avatar} name={name ?? username ?? primaryEmail} />
        <Heading
          title={<bdi>{title ?? t('title')}</bdi>}
          lead={lead && (lead === primaryEmail ? <EmailText value={lead} /> : <bdi>{lead}</bdi>)}
        />
      </div>
      <ProtectionCard protection={protection} codes={codes} />
      <Sections {...{ user, sessionCount, applicationCount, organizationCount }} />
    </>
  )
}

function Sections({
  user,
  sessionCount,
  applicationCount,
  organizationCount,
}: Pick<OverviewProps, 'user' | 'sessionCount' | 'applicationCount' | 'organizationCount'>) {
  const t = useTexts()
  const sections = useSections()
  const { name, username, primaryEmail, phone, createdAt, lastSignInAt } = user
  const values: Readonly<Record<string, ReactNode>> = {
    '/account/profile':
      name || username ? (
        <Dotted>
          {name && <bdi>{name}</bdi>}
          {username && <bdi>{username}</bdi>}
        </Dotted>
      ) : (
        t('profile_lead')
      ),
    '/account/sign-in':
      primaryEmail || phone ? (
        <Dotted>
          {primaryEmail && <EmailText value={primaryEmail} />}
          {phone && <PhoneText value={phone} />}
        </Dotted>
      ) : (
        t('sign_in_lead')
      ),
    '/account/organizations':
      organizationCount === 0
        ? t('organizations_lead')
        : t('organization_count', { count: organizationCount }),
    '/account/sessions': t('session_count', { count: sessionCount }),
    '/account/applications':
      applicationCount === 0 ? t('no_applications') : t('access_count', { count: applicationCount }),
    '/account/activity':
      lastSignInAt === null
        ? t('activity_lead')
        : withLink(t('last_sign_in'), <RelativeTime at={lastSignInAt} />),
    '/account/data': withLink(t('account_since'), <FormattedDate at={createdAt} />),
  }
  return (
    <Rows>
      {sections.map(({ path, text, Icon }) => (
        <Row key={path} icon={<Icon />} title={t(text)} value={values[path]} to={path} />
      ))}
    </Rows>
  )
}

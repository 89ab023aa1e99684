import type { ReactNode } from 'react'
import type { AccountPhraseKey } from '../../../src/contract/account/account-catalogue.ts'
import type { OrganizationEventKind } from '../../../src/domain/organisations/organization-activity.ts'
import { EnvelopeIcon, GlobeIcon, PersonIcon } from '../../ui/icons.tsx'
import { withLink } from '../../ui/rich-text.tsx'
import { useTexts } from '../account-view.tsx'
import { Days, TimeOfDay } from '../days.tsx'
import { Dotted } from '../dotted.tsx'
import { AppsIcon, LeaveIcon, OrganizationsIcon, SettingsIcon, StepsIcon } from '../icons.tsx'
import { Heading } from '../parts.tsx'
import { Row } from '../rows.tsx'

export type OrganizationEvent = {
  id: string
  kind: OrganizationEventKind
  at: number
  /** The member, address or domain that the event is about, or null. */
  about: string | null
  /** The name of the member who caused the event, or null if it is unknown or an operator did. */
  actor: string | null
  isByOperator: boolean
}

type Look = { text: AccountPhraseKey; icon: () => ReactNode }

const kinds: Readonly<Record<OrganizationEventKind, Look>> = {
  created: { text: 'organization_did_create', icon: OrganizationsIcon },
  changed: { text: 'organization_did_change', icon: SettingsIcon },
  joined: { text: 'organization_did_join', icon: PersonIcon },
  added: { text: 'organization_did_add', icon: PersonIcon },
  rolesChanged: { text: 'organization_did_change_roles', icon: StepsIcon },
  removed: { text: 'organization_did_remove', icon: LeaveIcon },
  left: { text: 'organization_did_leave', icon: LeaveIcon },
  invited: { text: 'organization_did_invite', icon: EnvelopeIcon },
  invitationSent: { text: 'organization_did_resend', icon: EnvelopeIcon },
  invitationEnded: { text: 'organization_did_end_invitation', icon: EnvelopeIcon },
  domainAdded: { text: 'organization_did_add_domain', icon: GlobeIcon },
  domainChanged: { text: 'organization_did_change_domain', icon: GlobeIcon },
  domainRemoved: { text: 'organization_did_remove_domain', icon: GlobeIcon },
  applicationsChanged: { text: 'organization_did_change_apps', icon: AppsIcon },
}

/** Lists what happened in an organisation, by day (spec/organisations#account-centre). */
export function OrganizationActivity({
  entries,
  older,
  isFirst,
}: {
  entries: readonly OrganizationEvent[]
  older: string | null
  isFirst: boolean
}) {
  const t = useTexts()
  return (
    <>
      <Heading title={t('activity')} lead={t('organization_activity_lead')} />
      <Days entries={entries} older={older} isFirst={isFirst}>
        {({ id, kind, at, about, actor, isByOperator }) => {
          const { text, icon: KindIcon } = kinds[kind]
          return (
            <Row
              key={id}
              icon={<KindIcon />}
              title={t(text)}
              value={
                <Dotted>
                  {about}
                  {isByOperator
                    ? t('by_operator')
                    : actor && actor !== about && withLink(t('by_member'), <bdi>{actor}</bdi>)}
                </Dotted>
              }
              end={<TimeOfDay at={at} />}
            />
          )
        }}
      </Days>
    </>
  )
}

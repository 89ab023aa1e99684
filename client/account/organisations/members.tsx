import { Field } from '../../ui/field.tsx'
import { PersonIcon, SearchIcon } from '../../ui/icons.tsx'
import { useTexts, useView } from '../account-view.tsx'
import { DisclosureRow } from '../disclosure-row.tsx'
import { Dotted } from '../dotted.tsx'
import { EmptyList } from '../empty-list.tsx'
import { ActionForm, ActionLink, Detail, DetailList, Heading, TimeDetail } from '../parts.tsx'
import { EmailText, Rows } from '../rows.tsx'
import { RoleNames } from './organization-parts.tsx'
import { type Role, RoleChoice } from './role-choice.tsx'

export type ListedMember = {
  id: string
  name: string | null
  username: string | null
  email: string | null
  avatar: string | null
  joinedAt: number
  /** The ids of the roles that were given by hand, which the user can change. */
  roleIds: readonly string[]
  /** The ids of the roles that the member has because of an invitation or a domain, which cannot be changed here. */
  fixedRoleIds: readonly string[]
}

export type MembersProps = {
  path: string
  members: readonly ListedMember[]
  roles: readonly Role[]
  /** The id of the signed-in user. */
  ownId: string
  mayManage: boolean
  search: string
  /** The number of the page, of which the first is 1. */
  page: number
  hasNext: boolean
}

/** Lists the members of an organisation, in pages (spec/organisations#account-centre). */
export function Members({ path, members, search, page, hasNext, ...rows }: MembersProps) {
  const t = useTexts()
  const pageUrl = (number: number) => {
    const query = new URLSearchParams({
      ...(search && { q: search }),
      ...(number > 1 && { page: String(number) }),
    })
    return query.size > 0 ? `${path}?${query}` : path
  }
  return (
    <>
      <Heading title={t('members')} lead={t('members_lead')} />
      <search>
        <form method="get" className="account-search">
          <Field
            type="search"
            name="q"
            label={t('member_search')}
            defaultValue={search}
            maxLength={128}
            dir="auto"
          />
          <button type="submit" className="account-action">
            {t('search')}
          </button>
        </form>
      </search>
      {members.length === 0 ? (
        <EmptyList icon={<SearchIcon />} text={t('no_members')} />
      ) : (
        <Rows>
          {members.map((member) => (
            <MemberRow key={member.id} member={member} {...rows} />
          ))}
        </Rows>
      )}
      {(hasNext || page > 1) && (
        <p className="account-pager">
          {page > 1 && <ActionLink to={pageUrl(page - 1)}>{t('previous_page')}</ActionLink>}
          {hasNext && <ActionLink to={pageUrl(page + 1)}>{t('next_page')}</ActionLink>}
        </p>
      )}
    </>
  )
}

type RowProps = Pick<MembersProps, 'roles' | 'ownId' | 'mayManage'> & { member: ListedMember }

function MemberRow({ member, roles, ownId, mayManage }: RowProps) {
  const t = useTexts()
  const { typed } = useView()
  const { id, name, username, email, avatar, joinedAt, roleIds, fixedRoleIds } = member
  const currentRoles = roles.filter((role) => roleIds.includes(role.id) || fixedRoleIds.includes(role.id))
  const fixed = roles.filter((role) => fixedRoleIds.includes(role.id))
  const title = name ?? username ?? email ?? t('member')
  const heading = `member-${id}`
  const isTyped = typed.id === id && typed.intent === 'changeRoles'
  const typedRoles = (typed.roleIds ?? '').split(' ')
  return (
    <DisclosureRow
      icon={
        avatar ? (
          <img className="account-avatar" src={avatar} alt="" width={36} height={36} />
        ) : (
          <PersonIcon />
        )
      }
      title={<bdi id={heading}>{title}</bdi>}
      value={
        <Dotted>
          {id === ownId && t('you')}
          {email && email !== title && <EmailText value={email} />}
          <RoleNames names={currentRoles.map((role) => role.name)} />
        </Dotted>
      }
      // The form has to be sent again: it was rejected, or the user had to sign in again.
      isOpen={typed.id === id}
    >
      <DetailList>
        <TimeDetail name={t('member_since')} at={joinedAt} />
        <Detail name={t('roles_of_domain')}>
          {fixed.length > 0 && <RoleNames names={fixed.map((role) => role.name)} />}
        </Detail>
      </DetailList>
      {mayManage && (
        <>
          <form method="post" className="account-form">
            <input type="hidden" name="id" value={id} />
            <RoleChoice id={id} roles={roles} chosen={isTyped ? typedRoles : roleIds} />
            <button
              type="submit"
              className="account-action"
              name="intent"
              value="changeRoles"
              aria-describedby={heading}
            >
              {t('save')}
            </button>
          </form>
          <ActionForm intent="remove" id={id} about={heading}>
            {t('member_remove')}
          </ActionForm>
        </>
      )}
    </DisclosureRow>
  )
}

import type { OrganizationBrand } from '../../../src/contract/organisations/organizations.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { withLink } from '../../ui/rich-text.tsx'
import { useTexts, useView } from '../account-view.tsx'
import { Dotted, Since } from '../dotted.tsx'
import { EmptyList } from '../empty-list.tsx'
import { OrganizationsIcon } from '../icons.tsx'
import { ActionForm, ActionLink, FormattedDate, Heading, Input } from '../parts.tsx'
import { Row, Rows } from '../rows.tsx'
import { OrganizationLogo, RoleNames } from './organization-parts.tsx'

export const ORGANIZATIONS_PATH = '/account/organizations'
/** The query with which the page shows the form for a new organisation. */
export const CREATION_QUERY = '?edit=new'

type Named = { name: string; brand: OrganizationBrand }
type Listed = Named & { id: string; roleNames: readonly string[] }

export type OrganizationsProps = {
  /** The user's organisations. `usedAt` is the time at which the user last began to act for one in an application. */
  organizations: readonly (Listed & { usedAt: number | null })[]
  /** The open invitations to the user's verified address. Their ids are those of the invitations. */
  invitations: readonly (Listed & { expiresAt: number })[]
  /** The organisations that the user may join, because of the domain of the address. */
  suggestions: readonly (Named & { organizationId: string; domain: string })[]
  mayCreate: boolean
  /** True if the page shows the form for a new organisation. */
  isCreating: boolean
}

/** Lists the user's organisations, and those that the user can join (spec/organisations#account-centre). */
export function Organizations(props: OrganizationsProps) {
  const t = useTexts()
  const { organizations, invitations, suggestions, mayCreate, isCreating } = props
  const hasOffers = invitations.length + suggestions.length > 0
  const create = mayCreate && !isCreating && (
    <ActionLink to={ORGANIZATIONS_PATH + CREATION_QUERY}>{t('organization_create')}</ActionLink>
  )
  return (
    <>
      <Heading title={t('organizations')} lead={t('organizations_lead')} />
      {mayCreate && isCreating && <CreationForm />}
      {invitations.length > 0 && <Invitations invitations={invitations} />}
      {suggestions.length > 0 && <Suggestions suggestions={suggestions} />}
      {organizations.length > 0 && (
        <Rows title={hasOffers && t('own_organizations')}>
          {organizations.map(({ id, name, brand, roleNames, usedAt }) => (
            <Row
              key={id}
              icon={<OrganizationLogo name={name} brand={brand} />}
              title={<bdi>{name}</bdi>}
              value={
                <Dotted>
                  <RoleNames names={roleNames} />
                  {usedAt !== null && <Since phrase={t('last_used_at')} at={usedAt} />}
                </Dotted>
              }
              to={`${ORGANIZATIONS_PATH}/${id}`}
            />
          ))}
        </Rows>
      )}
      {organizations.length > 0 || hasOffers || isCreating ? (
        create && <p>{create}</p>
      ) : (
        <EmptyList icon={<OrganizationsIcon />} text={t('no_organizations')}>
          {create}
        </EmptyList>
      )}
    </>
  )
}

function Invitations({ invitations }: Pick<OrganizationsProps, 'invitations'>) {
  const t = useTexts()
  return (
    <Rows title={t('own_invitations')}>
      {invitations.map(({ id, name, brand, roleNames, expiresAt }) => (
        <Row
          key={id}
          icon={<OrganizationLogo name={name} brand={brand} />}
          title={<bdi id={`invitation-${id}`}>{name}</bdi>}
          value={
            <Dotted>
              <RoleNames names={roleNames} />
              {withLink(t('invitation_until'), <FormattedDate at={expiresAt} />)}
            </Dotted>
          }
          end={
            <div className="account-row-actions">
              <ActionForm intent="decline" id={id} about={`invitation-${id}`}>
                {t('decline')}
              </ActionForm>
              <ActionForm intent="accept" id={id} about={`invitation-${id}`}>
                {t('accept')}
              </ActionForm>
            </div>
          }
        />
      ))}
    </Rows>
  )
}

function Suggestions({ suggestions }: Pick<OrganizationsProps, 'suggestions'>) {
  const t = useTexts()
  return (
    <Rows title={t('suggested_organizations')}>
      {suggestions.map(({ organizationId: id, name, brand, domain }) => (
        <Row
          key={id}
          icon={<OrganizationLogo name={name} brand={brand} />}
          title={<bdi id={`organization-${id}`}>{name}</bdi>}
          value={t('suggested_for_domain', { domain })}
          end={
            <ActionForm intent="join" id={id} about={`organization-${id}`}>
              {t('join')}
            </ActionForm>
          }
        />
      ))}
    </Rows>
  )
}

function CreationForm() {
  const t = useTexts()
  const { typed, problem } = useView()
  return (
    <section className="account-group" aria-labelledby="create">
      <h2 id="create">{t('organization_create')}</h2>
      <form method="post" className="account-card account-form profile-form">
        <Input
          name="name"
          label={t('organization_name')}
          hint={t('organization_create_hint')}
          defaultValue={typed.name}
          maxLength={128}
          dir="auto"
          autoComplete="organization"
          required
          {...(!problem && { autoFocus: true })}
        />
        <div className="account-actions">
          <Button name="intent" value="create">
            {t('create')}
          </Button>
          <ButtonLink kind="quiet" href={ORGANIZATIONS_PATH}>
            {t('action.cancel')}
          </ButtonLink>
        </div>
      </form>
    </section>
  )
}

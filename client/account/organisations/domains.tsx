import { type DomainJoinMode, domainJoinModes } from '../../../src/contract/organisations/organizations.ts'
import { Button } from '../../ui/button.tsx'
import { FieldFrame } from '../../ui/field.tsx'
import { CheckIcon, GlobeIcon } from '../../ui/icons.tsx'
import { useTexts, useView } from '../account-view.tsx'
import { DisclosureRow } from '../disclosure-row.tsx'
import { Dotted, Since } from '../dotted.tsx'
import { EmptyList } from '../empty-list.tsx'
import { ActionForm, Detail, DetailList, Heading, Input } from '../parts.tsx'
import { Rows } from '../rows.tsx'
import { type Role, RoleChoice } from './role-choice.tsx'

export type ListedDomain = {
  domain: string
  record: { name: string; value: string }
  join: DomainJoinMode
  roleIds: readonly string[]
  state: 'unproved' | 'proved' | 'missing'
  checkedAt: number | null
}

/** Proves domains for an organisation, and decides who joins because of them (spec/organisations#account-centre). */
export function Domains({ domains, roles }: { domains: readonly ListedDomain[]; roles: readonly Role[] }) {
  const t = useTexts()
  const { typed } = useView()
  return (
    <>
      <Heading title={t('domains')} lead={t('domains_lead')} />
      {domains.length === 0 ? (
        <EmptyList icon={<GlobeIcon />} text={t('no_domains')} />
      ) : (
        <Rows>
          {domains.map((domain) => (
            <DomainRow
              key={domain.domain}
              domain={domain}
              roles={roles}
              isOpen={domains.length === 1 || typed.id === domain.domain}
            />
          ))}
        </Rows>
      )}
      <form method="post" className="account-card account-form profile-form">
        <h2>{t('domain_add')}</h2>
        <Input
          name="domain"
          label={t('domain')}
          hint={t('domain_hint')}
          defaultValue={typed.domain}
          maxLength={253}
          inputMode="url"
          dir="ltr"
          autoComplete="off"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          required
        />
        <Button name="intent" value="add">
          {t('add')}
        </Button>
      </form>
    </>
  )
}

const states = {
  unproved: 'domain_unproved',
  proved: 'verified',
  missing: 'domain_missing',
} as const

const modes = {
  off: 'domain_join_off',
  suggest: 'domain_join_suggest',
  automatic: 'domain_join_automatic',
} as const satisfies Record<DomainJoinMode, string>

type RowProps = { domain: ListedDomain; roles: readonly Role[]; isOpen: boolean }

function DomainRow({ domain: { domain, record, join, roleIds, state, checkedAt }, roles, isOpen }: RowProps) {
  const t = useTexts()
  const heading = `domain-${domain}`
  return (
    <DisclosureRow
      icon={state === 'proved' ? <CheckIcon /> : <GlobeIcon />}
      isAlert={state === 'missing'}
      title={
        <bdi dir="ltr" id={heading}>
          {domain}
        </bdi>
      }
      value={
        <Dotted>
          {t(states[state])}
          {checkedAt !== null && <Since phrase={t('domain_checked_since')} at={checkedAt} />}
        </Dotted>
      }
      isOpen={isOpen || state === 'unproved'}
    >
      {state === 'proved' ? (
        <JoinForm {...{ domain, join, roleIds, roles }} />
      ) : (
        <>
          <p>{t('domain_record_hint')}</p>
          <DetailList>
            <Detail name={t('record_type')}>TXT</Detail>
            <Detail name={t('record_name')}>
              <code dir="ltr">{record.name}</code>
            </Detail>
            <Detail name={t('record_value')}>
              <code dir="ltr">{record.value}</code>
            </Detail>
          </DetailList>
        </>
      )}
      <div className="account-actions">
        <ActionForm intent="check" id={domain} about={heading}>
          {t('domain_check')}
        </ActionForm>
        <ActionForm intent="remove" id={domain} about={heading}>
          {t('remove')}
        </ActionForm>
      </div>
    </DisclosureRow>
  )
}

/** Decides what the domain does for people with an address there, and which roles they get. */
function JoinForm({
  domain,
  join,
  roleIds,
  roles,
}: Pick<ListedDomain, 'domain' | 'join' | 'roleIds'> & { roles: readonly Role[] }) {
  const t = useTexts()
  const { typed } = useView()
  const isTyped = typed.id === domain && typed.intent === 'change'
  return (
    <form method="post" className="account-form">
      <input type="hidden" name="id" value={domain} />
      <FieldFrame name={`join-${domain}`} label={t('domain_join')} problem={undefined} hint={undefined}>
        {(attributes) => (
          <select name="join" defaultValue={isTyped ? typed.join : join} {...attributes}>
            {domainJoinModes.map((mode) => (
              <option key={mode} value={mode}>
                {t(modes[mode])}
              </option>
            ))}
          </select>
        )}
      </FieldFrame>
      <RoleChoice id={domain} roles={roles} chosen={isTyped ? (typed.roleIds ?? '').split(' ') : roleIds} />
      <button
        type="submit"
        className="account-action"
        name="intent"
        value="change"
        aria-describedby={`domain-${domain}`}
      >
        {t('save')}
      </button>
    </form>
  )
}

import { isFieldVisible } from '../../../src/contract/account/account-fields.ts'
import { useBoot } from '../../context/boot.tsx'
import { PersonIcon } from '../../ui/icons.tsx'
import { useTexts, useView } from '../account-view.tsx'
import { Heading } from '../parts.tsx'
import { Row, Rows } from '../rows.tsx'
import { CustomFieldRow, type CustomFieldValue } from './custom-fields.tsx'
import {
  groupTitles,
  type ProfileGroup,
  type ProfileValues,
  profileFields,
  profileGroups,
} from './profile-fields.ts'
import { ProfileForm } from './profile-form.tsx'
import { ProfileRow, ProfileValue } from './profile-value.tsx'

export type ProfileProps = {
  values: ProfileValues
  /** The custom fields that the tenant has defined. */
  fields: readonly CustomFieldValue[]
  avatar: string | null
  hasUsername: boolean
  /** True if the account centre has a picture page. */
  hasPicture: boolean
  /** The group that is being edited, or null if there is none. */
  edited: ProfileGroup | null
  now: number
}

/** Shows what applications know about the user, in groups that the user can edit (spec/account-centre#profile). */
export function Profile({ avatar, hasPicture, edited, ...profile }: ProfileProps) {
  const t = useTexts()
  const { fields } = useView()
  return (
    <>
      <Heading title={t('profile')} lead={t('profile_lead')} />
      {hasPicture && isFieldVisible(fields, 'avatar') && (
        <Rows>
          <Row
            icon={
              avatar ? (
                <img className="account-avatar" src={avatar} alt="" width={36} height={36} />
              ) : (
                <PersonIcon />
              )
            }
            title={t('picture')}
            value={!avatar && t('not_chosen')}
            to="/account/picture"
          />
        </Rows>
      )}
      {profileGroups.map((group) => (
        <Group key={group} {...profile} group={group} isEdited={group === edited} />
      ))}
    </>
  )
}

type GroupProps = Pick<ProfileProps, 'values' | 'fields' | 'hasUsername' | 'now'> & {
  group: ProfileGroup
  isEdited: boolean
}

function Group({ group, isEdited, values, fields: custom, hasUsername, now }: GroupProps) {
  const t = useTexts()
  const { fields: policies } = useView()
  const { languages } = useBoot()
  // Fields that users cannot change are shown only if they have a value.
  const own = profileFields.filter(
    ({ group: ownGroup, name, part }) =>
      ownGroup === group &&
      (policies[part] === 'edit' || (isFieldVisible(policies, part) && values[name] !== '')) &&
      (name !== 'username' || hasUsername) &&
      (name !== 'locale' || languages.length > 0),
  )
  const tenants = custom.filter(
    ({ field: { access }, value }) =>
      group === 'custom' && (access === 'edit' || (access === 'readOnly' && value !== '')),
  )
  const inForm = {
    own: own.filter(({ part }) => policies[part] === 'edit'),
    tenants: tenants.filter(({ field }) => field.access === 'edit'),
  }
  if (own.length + tenants.length === 0) return null
  const mayEdit = inForm.own.length + inForm.tenants.length > 0
  const isForm = isEdited && mayEdit
  const isEmpty = group !== 'custom' && own.every(({ name }) => values[name] === '')
  const inRows = {
    own: isForm ? own.filter((field) => !inForm.own.includes(field)) : own,
    tenants: isForm ? tenants.filter((field) => !inForm.tenants.includes(field)) : tenants,
  }
  return (
    <section className="account-group" aria-labelledby={`${group}-title`}>
      <div className="account-group-head">
        <h2 id={`${group}-title`}>{t(groupTitles[group])}</h2>
        {mayEdit && !isForm && !isEmpty && <EditLink group={group} />}
      </div>
      {isForm && <ProfileForm group={group} values={values} now={now} fields={inForm} />}
      {isEmpty && !isForm && (
        <div className="account-card profile-empty">
          {t('not_chosen')}
          <EditLink group={group} isEmpty />
        </div>
      )}
      {!isEmpty && inRows.own.length + inRows.tenants.length > 0 && (
        <dl className="account-card profile-values">
          {inRows.own.map(({ name, label }) => (
            <ProfileRow key={name} name={t(label)}>
              {values[name] && <ProfileValue name={name} value={values[name]} now={now} />}
            </ProfileRow>
          ))}
          {inRows.tenants.map((each) => (
            <CustomFieldRow key={each.field.key} {...each} />
          ))}
        </dl>
      )}
    </section>
  )
}

/** The link that opens a group. Its id is the target of "Cancel", so that the focus returns to it. */
function EditLink({ group, isEmpty = false }: { group: ProfileGroup; isEmpty?: boolean }) {
  const t = useTexts()
  const { link } = useView()
  const id = `edit-${group}`
  return (
    <a
      className={isEmpty ? 'account-action' : 'profile-edit'}
      id={id}
      href={`/account/profile?edit=${group}${link?.search.replace('?', '&') ?? ''}`}
      aria-labelledby={`${id} ${group}-title`}
    >
      {t(isEmpty ? 'add' : 'vestibule.edit')}
    </a>
  )
}

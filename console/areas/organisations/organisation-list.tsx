import { Link, useSearchParams } from 'wouter'
import { toSearchPattern } from '../../../src/domain/users/user-list.ts'
import { phrases, useFormats, useT } from '../../phrases.ts'
import { CreateButton, useCreateEntity } from '../../ui/dialog-button.tsx'
import { TextField, useDebounced } from '../../ui/fields.tsx'
import { PagedTable } from '../../ui/table.tsx'
import { AreaPage } from './area-page.tsx'
import type { Organization } from './organisation.ts'

const texts = phrases({
  en: {
    newOrganization: 'New organization',
    ownerId: 'User ID of the owner',
    ownerHint: 'Optional. The owner can then invite the other members in the account center.',
    searchHint: 'Name, description or ID',
    none: 'There are no organizations yet.',
    noMatch: 'No organization matches.',
  },
  de: {
    newOrganization: 'Neue Organisation',
    ownerId: 'Benutzer-ID des Inhabers',
    ownerHint: 'Nicht erforderlich. Der Inhaber kann im Kontobereich die anderen Mitglieder einladen.',
    searchHint: 'Name, Beschreibung oder ID',
    none: 'Es gibt noch keine Organisationen.',
    noMatch: 'Keine Organisation passt.',
  },
})

/** The time in milliseconds for which the user has to stop typing before the search starts. */
const DELAY_MS = 200

/** The search is part of the URL, so that going back from the page of an organisation restores it. */
export function OrganizationList() {
  const t = useT(texts)
  const { date } = useFormats()
  const [address, setAddress] = useSearchParams()
  const typed = address.get('search') ?? ''
  const search = toSearchPattern(useDebounced(typed, DELAY_MS))
  const show = (next: { search: string; page?: string }) =>
    setAddress(new URLSearchParams(Object.entries(next).filter((entry) => entry[1] !== '')), {
      replace: true,
    })
  const create = useCreateEntity('/organizations', '/organizations')
  return (
    <AreaPage
      actions={
        <CreateButton
          text={t('newOrganization')}
          scope="organizations:write"
          needsStepUp
          fields={[
            { name: 'name', label: t('name') },
            { name: 'description', label: t('description') },
            { name: 'ownerId', label: t('ownerId'), hint: t('ownerHint'), isCode: true },
          ]}
          onCreate={({ ownerId, ...values }) => {
            const owner = ownerId.trim()
            return create({ ...values, ...(owner !== '' && { ownerId: owner }) })
          }}
        />
      }
    >
      <search className="filters">
        <TextField
          label={t('search')}
          type="search"
          value={typed}
          placeholder={t('searchHint')}
          onChange={(text) => show({ search: text })}
        />
      </search>
      <PagedTable<Organization>
        path="/organizations"
        query={{ search }}
        at={{
          page: Number(address.get('page') ?? 1),
          onPage: (page) => show({ search: typed, page: String(page) }),
        }}
        label={t('organizations')}
        keyOf={({ id }) => id}
        empty={<p>{t(typed.trim() === '' ? 'none' : 'noMatch')}</p>}
        showsTotal
        columns={[
          {
            title: t('name'),
            cell: ({ id, name }) => <Link href={`/organizations/${id}`}>{name}</Link>,
          },
          { title: t('description'), cell: ({ description }) => description, isHiddenOnPhones: true },
          { title: t('created'), cell: ({ createdAt }) => date(createdAt), isHiddenOnPhones: true },
        ]}
      />
    </AreaPage>
  )
}

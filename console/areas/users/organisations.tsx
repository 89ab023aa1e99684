import { Link } from 'wouter'
import type { z } from 'zod'
import type { OrganizationOfUser } from '../../../src/contract/organisations/organizations.schema.ts'
import { phrases, useFormats, useT } from '../../phrases.ts'
import { Card } from '../../ui/page.tsx'
import { PagedTable } from '../../ui/table.tsx'
import { memberPhrases } from '../organisations/member-phrases.ts'

const texts = phrases({
  en: {
    userLead: 'The organizations that the user can act for. You can change this on their pages.',
    noneOfUser: 'The user isn’t a member of any organization.',
  },
  de: {
    userLead:
      'Die Organisationen, für die der Benutzer handeln kann. Ändern lässt sich das auf deren Seiten.',
    noneOfUser: 'Der Benutzer ist in keiner Organisation Mitglied.',
  },
})

/** Lists the organisations of a user, with the roles there. */
export default function UserOrganizations({ userId }: { userId: string }) {
  const t = useT(texts, memberPhrases)
  const { date } = useFormats()
  return (
    <Card title={t('organizations')} lead={t('userLead')}>
      <PagedTable<z.infer<typeof OrganizationOfUser>>
        path={`/users/${encodeURIComponent(userId)}/organizations`}
        label={t('organizations')}
        keyOf={({ id }) => id}
        empty={<p>{t('noneOfUser')}</p>}
        columns={[
          {
            title: t('name'),
            cell: ({ id, name }) => <Link href={`/organizations/${id}/members`}>{name}</Link>,
          },
          { title: t('roles'), cell: ({ roles }) => roles.map(({ name }) => name).join(', ') },
          {
            title: t('source'),
            cell: ({ sources }) => sources.map((source) => t(source)).join(', '),
            isHiddenOnPhones: true,
          },
          { title: t('joined'), cell: ({ joinedAt }) => date(joinedAt), isHiddenOnPhones: true },
        ]}
      />
    </Card>
  )
}

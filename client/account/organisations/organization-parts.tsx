import type { OrganizationBrand } from '../../../src/contract/organisations/organizations.ts'
import { toStandardTag } from '../../../src/domain/experience/standard-tag.ts'
import { useBoot } from '../../context/boot.tsx'
import { initialOf } from '../../pages/consent-list.tsx'
import { useTexts } from '../account-view.tsx'

/** The logo of an organisation, or else the initial of its name. It is decorative, because the name is beside it. */
export const OrganizationLogo = ({ name, brand }: { name: string; brand: OrganizationBrand }) =>
  brand.logo ? (
    <img src={brand.logo} alt="" width={24} height={24} />
  ) : (
    <span aria-hidden="true">{initialOf(name)}</span>
  )

/** The names of roles as one text, or “Member” for a member without roles. */
export function RoleNames({ names }: { names: readonly string[] }) {
  const { language } = useBoot()
  const t = useTexts()
  const list = new Intl.ListFormat(toStandardTag(language), { type: 'unit' })
  return names.length > 0 ? <bdi>{list.format(names)}</bdi> : t('member')
}

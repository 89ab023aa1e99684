import './organisations.css'
import { lazy, Suspense } from 'react'
import type { OrganizationBrand } from '../../../src/contract/organisations/organizations.ts'
import { brandShades } from '../../../src/domain/experience/brand.ts'
import { findLogoUrlProblem } from '../../../src/domain/experience/pictures.ts'
import type { ApiProblem } from '../../api/problem.ts'
import { useT } from '../../phrases.ts'
import { apiOrigin } from '../../session/place.ts'
import { bindFields } from '../../ui/bound.ts'
import { Checkbox, Switch } from '../../ui/fields.tsx'
import { Card } from '../../ui/page.tsx'
import { ColorField, isColor } from '../color-field.tsx'
import { omitUnset } from './omit-unset.ts'
import { settingPhrases } from './setting-phrases.ts'

// Loaded after the page, because it is large.
const PictureField = lazy(() => import('../picture-field.tsx'))

/** The colour that is proposed first. */
const FIRST_COLOR = '#5d34f2'

type BrandProps = {
  brand: OrganizationBrand
  name: string
  problems: ApiProblem['fields']
  isDisabled: boolean
  onChange: (brand: OrganizationBrand) => void
}

/** Edits what the sign-in pages show of an organisation (spec/organisations#brand). */
export default function BrandCard({ brand, name, problems, isDisabled, onChange }: BrandProps) {
  const t = useT(settingPhrases)
  const change = (changes: Partial<OrganizationBrand>) => onChange(omitUnset({ ...brand, ...changes }))
  const fields = bindFields({ value: brand, path: 'brand', problems, isDisabled, change })
  return (
    <Card title={t('brand')} lead={t('brandLead')}>
      <Suspense>
        <PictureField label={t('brand.logo')} explainsUploads {...fields.optional('logo')} />
        <PictureField label={t('brand.logoDark')} ground="dark" {...fields.optional('logoDark')} />
      </Suspense>
      <Checkbox
        label={t('ownColor')}
        isDisabled={isDisabled}
        isSelected={brand.color !== undefined}
        onChange={(isOwn) => change({ color: isOwn ? FIRST_COLOR : undefined })}
      />
      {brand.color !== undefined && (
        <ColorField
          label={t('brand.color')}
          value={brand.color}
          problem={problems['brand.color']}
          isDisabled={isDisabled}
          onChange={(color) => change({ color })}
        />
      )}
      {(brand.logo || brand.color) && <Samples brand={brand} name={name} />}
      <Switch label={t('brand.isPublic')} hint={t('isPublicHint')} {...fields.flag('isPublic')} />
    </Card>
  )
}

/** Shows the logo and a button in both themes, with the colours that the sign-in pages derive from the brand colour. */
function Samples({ brand, name }: Pick<BrandProps, 'brand' | 'name'>) {
  const t = useT(settingPhrases)
  const { color = '' } = brand
  const shades = isColor(color)
    ? brandShades({ primaryColor: color, darkPrimaryColor: '', isDarkModeEnabled: true })
    : null
  const logos = { light: brand.logo, dark: brand.logoDark ?? brand.logo }
  return (
    <figure className="brand-samples" aria-label={t('preview')}>
      {(['light', 'dark'] as const).map((theme) => (
        <div key={theme} className={`brand-sample ${theme}`}>
          <Logo address={logos[theme]} name={name} />
          {shades && (
            <span
              style={{
                background: shades[theme]?.['--color-brand-fill'],
                color: shades[theme]?.['--color-brand-text'],
              }}
            >
              {t('button')}
            </span>
          )}
        </div>
      ))}
    </figure>
  )
}

function Logo({ address, name }: { address: string | undefined; name: string }) {
  if (!address || findLogoUrlProblem(address, undefined)) return <strong>{name}</strong>
  return <img src={new URL(address, apiOrigin).href} alt={name} />
}

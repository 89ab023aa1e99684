import { type ComponentType, type RefObject, useState } from 'react'
import { useIsHydrated } from '../browser/facts.ts'
import { useT } from '../context/boot.tsx'
import { loadNumberingPlans, useNumberingPlans } from '../phones/phones.ts'
import type { CountryDropdownProps } from './country-dropdown.tsx'
import { ChevronIcon } from './icons.tsx'

/**
 * The calling code of a phone number, with a button for choosing another country. Its space is reserved, so that
 * the layout does not shift when the numbering plans have loaded.
 */
export function CountryCode({
  code,
  isShown,
  onChoose,
  field,
}: {
  code: string | null
  isShown: boolean
  onChoose: (code: string) => void
  field: RefObject<HTMLInputElement | null>
}) {
  const t = useT()
  const isHydrated = useIsHydrated()
  const [Dropdown, setDropdown] = useState<ComponentType<CountryDropdownProps> | null>(null)
  const [isOpen, setOpen] = useState(false)
  const [country, setCountry] = useState<string | null>(null)
  const phones = useNumberingPlans()
  const load = async () => {
    const [{ CountryDropdown }] = await Promise.all([import('./country-dropdown.tsx'), loadNumberingPlans()])
    setDropdown(() => CountryDropdown)
  }

  return (
    <span className="country-code" data-shown={isShown || undefined}>
      {code && !isHydrated && <bdi>+{code}</bdi>}
      {code && isHydrated && (
        <button
          type="button"
          className="country-button"
          aria-haspopup="dialog"
          aria-label={t('vestibule.country_code', { code: `+${code}` })}
          onPointerEnter={() => load().catch(() => {})}
          onClick={() => {
            setOpen(true)
            load().catch(() => setOpen(false))
          }}
        >
          <bdi>+{code}</bdi>
          <ChevronIcon />
        </button>
      )}
      {isOpen && Dropdown && phones && code && (
        <Dropdown
          phones={phones}
          chosen={code}
          country={country}
          field={field}
          onChoose={(chosen, from) => {
            setCountry(from)
            onChoose(chosen)
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </span>
  )
}

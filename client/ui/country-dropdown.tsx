import { useCombobox } from 'downshift'
import {
  type ComponentProps,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { createPortal } from 'react-dom'
import type { BootData } from '../../src/contract/interactions/boot.ts'
import { usePositionBelow } from '../browser/below-field.ts'
import { pageBody } from '../browser/facts.ts'
import { useBoot, useT } from '../context/boot.tsx'
import type { NumberingPlans } from '../phones/phones.ts'
import { type CountryRow, isCallingCode, listCountries, searchCountries } from './country-search.ts'
import { BackIcon, CheckIcon, SearchIcon } from './icons.tsx'
import '../styles/countries.css'

const DEBOUNCE_MS = 100 // spec/limits#page-timings
const CLOSE_MS = 200 // spec/limits#page-timings; the same as the fading time in the styles of `.countries`

export type CountryDropdownProps = {
  phones: NumberingPlans
  chosen: string
  /** The country that the user chose from the list, in case several countries share the calling code. */
  country: string | null
  /** The field below which the dialog is placed, and which regains focus when the dialog closes. */
  field: RefObject<HTMLInputElement | null>
  onChoose: (code: string, country: string) => void
  onClose: () => void
}

/**
 * Lists all countries with their calling codes and lets users search by name or code (spec/pages#phone-numbers).
 * It is a separate chunk, because the preselected country is right for most users.
 */
export function CountryDropdown({ phones, chosen, country, field, onChoose, onClose }: CountryDropdownProps) {
  const boot = useBoot()
  const t = useT()
  const dialog = useRef<HTMLDialogElement>(null)
  const search = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const query = useDebounced(text)
  const find = useSearch(phones, boot)
  const rows = useMemo(() => find(query), [find, query])
  const isChosen = chosenCountry(find(''), chosen, country)
  usePositionBelow(dialog, field)
  useModal(dialog, boot.platform === 'web' ? search : undefined)

  /** Moves the keyboard focus back at once, while the dialog is still fading out. */
  const close = () => {
    dialog.current?.close()
    field.current?.focus()
    setTimeout(onClose, CLOSE_MS)
  }
  const choose = (row: CountryRow | null | undefined) => {
    if (!row) return
    onChoose(row.code, row.country)
    close()
  }

  const { highlightedIndex, setHighlightedIndex, getInputProps, getItemProps, getMenuProps } = useCombobox({
    items: rows,
    isOpen: true,
    inputValue: text,
    selectedItem: null,
    initialHighlightedIndex: rows.findIndex(isChosen),
    defaultHighlightedIndex: 0,
    itemToString: (row) => row?.name ?? '',
    // Do not choose a country when the search field loses focus.
    stateReducer: (state, { type, changes }) =>
      type === useCombobox.stateChangeTypes.InputBlur ? state : changes,
    onSelectedItemChange: ({ selectedItem }) => choose(selectedItem),
  })

  /** In the search field, some keys that usually edit text navigate the list instead (spec/pages#phone-numbers). */
  function onKeyDown(event: KeyboardEvent): void {
    const { key } = event
    const move = { ArrowLeft: -1, ArrowRight: 1 }[key]
    const isForCode = isCallingCode(text)
    const isBlocked = ['-', '.'].includes(key) || (key === 'e' && text !== '')
    // Escape closes the dialog at once. Downshift would first clear the search field.
    if (key === 'Escape' || key === 'Enter') {
      Object.assign(event.nativeEvent, { preventDownshiftDefault: true })
    }
    if (key === 'Enter' || (isForCode && key === ' ')) {
      event.preventDefault()
      // The rendered list may lag behind the text. If it does, choose the first country that matches the text.
      choose(query === text ? rows[highlightedIndex] : find(text)[0])
    } else if (isForCode && move) {
      event.preventDefault()
      setHighlightedIndex((highlightedIndex + move + rows.length) % rows.length)
    } else if (isForCode && isBlocked) event.preventDefault()
  }

  return createPortal(
    <dialog
      ref={dialog}
      className="countries"
      aria-label={t('input.search_region_code')}
      onCancel={(event) => {
        event.preventDefault()
        close()
      }}
      onPointerDown={({ target }) => target === dialog.current && close()}
    >
      <div className="countries-panel">
        <button type="button" className="countries-back" onClick={close}>
          <BackIcon />
          {t('action.nav_back')}
        </button>
        <div className="countries-search">
          <SearchIcon />
          <input
            {...getInputProps({
              ref: search,
              'aria-label': t('input.search_region_code'),
              onKeyDown,
              // Handle changes here, because Downshift reports them so late that fast typing would lose
              // characters.
              onChange: ({ target }) => target instanceof HTMLInputElement && setText(target.value),
            })}
            // Without this, Downshift would reference the first row even if the list is empty.
            {...(rows.length === 0 && { 'aria-activedescendant': undefined })}
            name="country-code-search"
            type="text"
            className="countries-input"
            placeholder={t('input.search_region_code')}
            autoComplete="off"
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
          />
        </div>
        <ul className="countries-list" {...getMenuProps({ 'aria-label': t('input.search_region_code') })}>
          {rows.map((row, index) => (
            <CountryOption
              key={row.country}
              row={row}
              isChosen={isChosen(row)}
              isHighlighted={index === highlightedIndex}
              option={getItemProps({ item: row, index })}
            />
          ))}
        </ul>
        <p className="countries-none" role="status">
          {rows.length === 0 && t('description.no_region_code_found')}
        </p>
      </div>
    </dialog>,
    pageBody(),
  )
}

function CountryOption({
  row,
  isChosen,
  isHighlighted,
  option,
}: {
  row: CountryRow
  isChosen: boolean
  isHighlighted: boolean
  option: ComponentProps<'li'>
}) {
  return (
    <li className="countries-row" data-highlighted={isHighlighted || undefined} {...option}>
      <span className="countries-letters" aria-hidden="true">
        {row.country}
      </span>
      <span className="countries-names">{row.name}</span> <bdi className="countries-code">+{row.code}</bdi>
      {isChosen && <CheckIcon />}
    </li>
  )
}

/**
 * Opens the dialog over the page and focuses `initialFocus`, if there is one. On phones there is none, because
 * the keyboard would cover half of the list.
 */
function useModal(
  dialog: RefObject<HTMLDialogElement | null>,
  initialFocus: RefObject<HTMLElement | null> | undefined,
): void {
  useEffect(() => {
    const element = dialog.current
    element?.showModal()
    initialFocus?.current?.focus()
    element?.scrollIntoView({ block: 'nearest' })
  }, [dialog, initialFocus])
}

function useSearch(
  phones: NumberingPlans,
  { language, country }: Pick<BootData, 'language' | 'country'>,
): (query: string) => CountryRow[] {
  return useMemo(() => {
    const likely = phones.listLikelyCountries({ language, country })
    const rows = listCountries(phones.countryCallingCodes, { language, likely })
    return (query) => searchCountries(rows, query)
  }, [phones, language, country])
}

/**
 * Returns a function that checks whether a country is selected. If several countries share the calling code, the
 * selected one is the country chosen from the list, or else a likely one, or else the best-known one.
 */
function chosenCountry(all: readonly CountryRow[], chosen: string, country: string | null) {
  const candidates = all.filter(({ code }) => code === chosen)
  const one =
    candidates.find((row) => row.country === country) ?? candidates.find((row) => row.isLikely || row.isMain)
  return (row: CountryRow): boolean => row.country === one?.country
}

function useDebounced(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

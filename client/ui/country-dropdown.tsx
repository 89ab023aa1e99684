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
import { standardTag } from '../../src/domain/standard-tag.ts'
import { useBoot, useT } from '../app/boot.tsx'
import { useBelowField } from '../browser/below-field.ts'
import { pageBody } from '../browser/facts.ts'
import type { PhoneNumbers } from '../forms/phones.ts'
import { type CountryRow, isCode, searchCountries } from './country-search.ts'
import { BackIcon, CheckIcon, SearchIcon } from './icons.tsx'

const DEBOUNCE_MS = 100 // spec/limits#page-timings
const CLOSE_MS = 200 // spec/limits#page-timings; `.countries` in the styles fades as long

export type CountryDropdownProps = {
  phones: PhoneNumbers
  chosen: string
  /** The field below which it is placed, and which gets the focus back. */
  field: RefObject<HTMLInputElement | null>
  onChoose: (code: string) => void
  onClose: () => void
}

/**
 * The calling codes of all countries, searched by code or by country (spec/pages#phone-numbers). A chunk of its own: most users are
 * from the country that their language suggests.
 */
export function CountryDropdown({ phones, chosen, field, onChoose, onClose }: CountryDropdownProps) {
  const { language, platform } = useBoot()
  const t = useT()
  const dialog = useRef<HTMLDialogElement>(null)
  const search = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const query = useDebounced(typed)
  const list = useMemo(
    () => new Intl.ListFormat(standardTag(language), { type: 'unit', style: 'short' }),
    [language],
  )
  const find = useSearch(phones, language)
  const rows = useMemo(() => find(query), [find, query])
  useBelowField(dialog, field)
  useOpened(dialog, platform === 'web' ? search : undefined)

  /** Closed at once for the keyboard, while it still fades out. */
  const close = () => {
    dialog.current?.close()
    field.current?.focus()
    setTimeout(onClose, CLOSE_MS)
  }
  const choose = (row: CountryRow | null | undefined) => {
    if (!row) return
    onChoose(row.code)
    close()
  }

  const { highlightedIndex, setHighlightedIndex, getInputProps, getItemProps, getMenuProps } = useCombobox({
    items: rows,
    isOpen: true,
    inputValue: typed,
    selectedItem: null,
    initialHighlightedIndex: rows.findIndex(({ code }) => code === chosen),
    defaultHighlightedIndex: 0,
    itemToString: (row) => row?.code ?? '',
    // To leave the field chooses nothing.
    stateReducer: (state, { type, changes }) =>
      type === useCombobox.stateChangeTypes.InputBlur ? state : changes,
    onSelectedItemChange: ({ selectedItem }) => choose(selectedItem),
  })

  /** While a code is searched for, some keys that edit text move through the list instead (spec/pages#phone-numbers). */
  function onKeyDown(event: KeyboardEvent): void {
    const { key } = event
    const move = { ArrowLeft: -1, ArrowRight: 1 }[key]
    const isForCode = isCode(typed)
    const isBlocked = ['-', '.'].includes(key) || (key === 'e' && typed !== '')
    // Escape closes the dialog; downshift would empty the field first.
    if (key === 'Escape' || key === 'Enter') {
      Object.assign(event.nativeEvent, { preventDownshiftDefault: true })
    }
    if (key === 'Enter' || (isForCode && key === ' ')) {
      event.preventDefault()
      // The list may lag behind the text: then the first match of the text is chosen.
      choose(query === typed ? rows[highlightedIndex] : find(typed)[0])
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
        <button type="button" className="back-link countries-back" onClick={close}>
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
              // Not through downshift, which reports a change too late: fast typing would lose characters.
              onChange: ({ target }) => target instanceof HTMLInputElement && setTyped(target.value),
            })}
            // Downshift still refers to the first row when there is none.
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
              key={row.code}
              row={row}
              isChosen={row.code === chosen}
              isHighlighted={index === highlightedIndex}
              names={list.format(row.names)}
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
  names,
  option,
}: {
  row: CountryRow
  isChosen: boolean
  isHighlighted: boolean
  names: string
  option: ComponentProps<'li'>
}) {
  return (
    <li className="countries-row" data-highlighted={isHighlighted || undefined} {...option}>
      <bdi className="countries-code">+{row.code}</bdi>
      <span className="countries-names">
        {names}
        {row.hasMore && ' …'}
      </span>
      {isChosen && <CheckIcon />}
    </li>
  )
}

/** Opens the dialog over the page and focuses the field, if there is one: on a phone the keyboard would cover half of the list. */
function useOpened(
  dialog: RefObject<HTMLDialogElement | null>,
  focused: RefObject<HTMLElement | null> | undefined,
): void {
  useEffect(() => {
    const element = dialog.current
    element?.showModal()
    focused?.current?.focus()
    element?.scrollIntoView({ block: 'nearest' })
  }, [dialog, focused])
}

function useSearch(phones: PhoneNumbers, language: string): (query: string) => CountryRow[] {
  return useMemo(() => {
    const names = new Intl.DisplayNames(standardTag(language), { type: 'region' })
    const codes = phones.callingCodes(language)
    return (query) => searchCountries(codes, query, (country) => names.of(country) ?? country)
  }, [phones, language])
}

function useDebounced(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

import type { OfferedLanguage } from '../../src/contract/interactions/boot.ts'

/** Read from the list that the server rendered: the boot data do not repeat it (spec/pages#boot-data). */
export function offeredLanguages(): OfferedLanguage[] {
  const buttons = document.querySelectorAll<HTMLButtonElement>('.languages button')
  return [...buttons].map(({ value, lang, textContent }) => ({ tag: value, lang, name: textContent }))
}

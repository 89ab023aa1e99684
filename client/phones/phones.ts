import { useSyncExternalStore } from 'react'
import { getCallingCode } from '../../src/contract/interactions/phone-numbers.ts'

/** The hidden field beside `identifier` while a calling code is shown. */
export const COUNTRY_CODE_FIELD = 'countryCode'

export type PhoneNumbers = typeof import('./phone-numbers.ts')

let loaded: PhoneNumbers | null = null
const listeners = new Set<() => void>()

/** The numbering plans are large: they are loaded once there is a phone number to read (ADR-0030). */
export async function loadPhones(): Promise<PhoneNumbers> {
  if (loaded) return loaded
  loaded = await import('./phone-numbers.ts')
  for (const notify of listeners) notify()
  return loaded
}

/** Null until they are loaded. */
export const loadedPhones = (): PhoneNumbers | null => loaded

/** The same while a page is rendered: null on the server and during hydration, so that both render alike. */
export function usePhones(): PhoneNumbers | null {
  return useSyncExternalStore(subscribe, loadedPhones, () => null)
}

function subscribe(notify: () => void): () => void {
  listeners.add(notify)
  return () => listeners.delete(notify)
}

/** The parts of a number as it is sent, in digits. */
export function splitPhone(digits: string): { callingCode: string; national: string } {
  const callingCode = getCallingCode(digits)
  return { callingCode, national: digits.slice(callingCode.length) }
}

/** As it is shown: "+49 1701234567" (spec/pages#masking). */
export function shownPhone(digits: string): string {
  const { callingCode, national } = splitPhone(digits)
  return `+${callingCode} ${national}`
}

/** Digits, and what users type between them. */
const PHONE_TEXT = /^\+?[\d\s()./-]+$/

/** The digits of a text that is a number (ADR-0031); another text stays unchanged. */
export const withoutPunctuation = (text: string): string =>
  PHONE_TEXT.test(text) ? text.replaceAll(/\D/g, '') : text

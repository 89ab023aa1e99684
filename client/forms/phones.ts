import { useSyncExternalStore } from 'react'

export type PhoneNumbers = typeof import('./phone-numbers.ts')

let loaded: PhoneNumbers | null = null
const waiting = new Set<() => void>()

/** The numbering plans of the world are large: they come once there is a phone number to read. */
export async function loadPhones(): Promise<PhoneNumbers> {
  if (loaded) return loaded
  loaded = await import('./phone-numbers.ts')
  for (const tell of waiting) tell()
  return loaded
}

/** For what cannot wait. */
export const loadedPhones = (): PhoneNumbers | null => loaded

/** The same while a page is drawn: null on the server, so that both draw alike. */
export function usePhones(): PhoneNumbers | null {
  return useSyncExternalStore(subscribe, loadedPhones, () => null)
}

function subscribe(tell: () => void): () => void {
  waiting.add(tell)
  return () => waiting.delete(tell)
}

/** The calling codes of ITU-T E.164: none of them is the beginning of another. */
const CALLING_CODE = /^(?:1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})/

/** A number as it is sent, digits alone, taken apart. */
export function splitPhone(digits: string): { callingCode: string; national: string } {
  const [callingCode = ''] = CALLING_CODE.exec(digits) ?? []
  return { callingCode, national: digits.slice(callingCode.length) }
}

/** As people read it: "+49 1701234567" (decision 12). */
export function shownPhone(digits: string): string {
  const { callingCode, national } = splitPhone(digits)
  return `+${callingCode} ${national}`
}

/** Digits, and what people put between them. */
const PHONE_TEXT = /^\+?[\d\s()./-]+$/

/** The digits of a text that can only be meant as a number; a text that is none stays as it is. */
export const withoutPunctuation = (text: string): string =>
  PHONE_TEXT.test(text) ? text.replaceAll(/\D/g, '') : text

import { useSyncExternalStore } from 'react'
import { getCallingCode } from '../../src/contract/interactions/phone-numbers.ts'

/** The name of the hidden field beside `identifier` while a calling code is shown. */
export const COUNTRY_CODE_FIELD = 'countryCode'

export type PhoneNumbers = typeof import('./phone-numbers.ts')

let loaded: PhoneNumbers | null = null
const listeners = new Set<() => void>()

/** Loads the numbering plans. They are large, so this happens only once there is a phone number to read (ADR-0030). */
export async function loadPhones(): Promise<PhoneNumbers> {
  if (loaded) return loaded
  loaded = await import('./phone-numbers.ts')
  for (const notify of listeners) notify()
  return loaded
}

/** Returns null until the numbering plans are loaded. */
export const getLoadedPhones = (): PhoneNumbers | null => loaded

/**
 * Returns the numbering plans for rendering. They are null on the server and during hydration, so that both render the
 * same.
 */
export function usePhones(): PhoneNumbers | null {
  return useSyncExternalStore(subscribe, getLoadedPhones, () => null)
}

function subscribe(notify: () => void): () => void {
  listeners.add(notify)
  return () => listeners.delete(notify)
}

/** Splits a number into its parts. It consists of digits, as it is sent. */
export function splitPhone(digits: string): { callingCode: string; national: string } {
  const callingCode = getCallingCode(digits)
  return { callingCode, national: digits.slice(callingCode.length) }
}

/** Formats a number for display: "+49 1701234567" (spec/pages#masking). */
export function formatPhone(digits: string): string {
  const { callingCode, national } = splitPhone(digits)
  return `+${callingCode} ${national}`
}

/** Digits and the characters that users type between them. */
const PHONE_TEXT = /^\+?[\d\s()./-]+$/

/** Returns the digits of a text that is a number (spec/pages#identifier-field), and any other text unchanged. */
export const stripPunctuation = (text: string): string =>
  PHONE_TEXT.test(text) ? text.replaceAll(/\D/g, '') : text

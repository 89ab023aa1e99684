import { useSyncExternalStore } from 'react'
import { getCallingCode } from '../../src/contract/interactions/phone-numbers.ts'

/** The name of the hidden field that contains the calling code shown beside `identifier`. */
export const COUNTRY_CODE_FIELD = 'countryCode'

export type NumberingPlans = typeof import('./phone-numbers.ts')

let loaded: NumberingPlans | null = null
const listeners = new Set<() => void>()

/**
 * Loads the numbering plans. They are large, so they are loaded only when there is a phone number to parse
 * (ADR-0030).
 */
export async function loadNumberingPlans(): Promise<NumberingPlans> {
  if (loaded) return loaded
  loaded = await import('./phone-numbers.ts')
  for (const notify of listeners) notify()
  return loaded
}

/** Returns the numbering plans, or null until they are loaded. */
export const getLoadedNumberingPlans = (): NumberingPlans | null => loaded

/**
 * Returns the numbering plans for rendering, or null on the server and during hydration, so that both render the
 * same markup.
 */
export function useNumberingPlans(): NumberingPlans | null {
  return useSyncExternalStore(subscribe, getLoadedNumberingPlans, () => null)
}

function subscribe(notify: () => void): () => void {
  listeners.add(notify)
  return () => listeners.delete(notify)
}

/** Splits a phone number into its parts. `digits` is the international number as it is sent to the server. */
export function splitPhone(digits: string): { callingCode: string; national: string } {
  const callingCode = getCallingCode(digits)
  return { callingCode, national: digits.slice(callingCode.length) }
}

/** Formats a phone number for display, as in "+49 1701234567" (spec/pages#masking). A masked number stays as it is. */
export function formatPhone(digits: string): string {
  if (digits.startsWith('*')) return digits
  const { callingCode, national } = splitPhone(digits)
  return `+${callingCode} ${national}`
}

/** Matches text that consists of digits and the characters that users type between them. */
const PHONE_TEXT = /^\+?[\d\s()./-]+$/

/** Returns only the digits if the text is a number (spec/pages#identifier-field), and any other text unchanged. */
export const stripPunctuation = (text: string): string =>
  PHONE_TEXT.test(text) ? text.replaceAll(/\D/g, '') : text

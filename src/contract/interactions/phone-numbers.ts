/**
 * Matches country calling codes with one or two digits. All others have three digits, and no code is a prefix of
 * another (ITU-T E.164).
 */
const CALLING_CODE = /^(?:1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})/

/** Returns the calling code of a phone number in the format of the API (spec/accounts#phone). */
export const getCallingCode = (phone: string): string => CALLING_CODE.exec(phone)?.[0] ?? phone

/**
 * The calling codes after which a number may begin with a zero: landlines in Italy, and mobile phones in Ivory Coast,
 * Burkina Faso, Benin, Gabon, Congo and Tajikistan. In other countries, a leading zero is only dialled domestically. A
 * test compares this list with the numbering plans.
 */
const CODES_WITH_ZERO = new Set(['39', '225', '226', '229', '241', '242', '992'])

/** Checks whether a new number is a valid E.164 number in its canonical spelling (spec/accounts#phone). */
export function isPhoneNumber(digits: string): boolean {
  const callingCode = getCallingCode(digits)
  const hasZero = digits[callingCode.length] === '0'
  return /^[1-9]\d{6,14}$/.test(digits) && (!hasZero || CODES_WITH_ZERO.has(callingCode))
}

/** The country calling codes of one and two digits; all others have three, and none begins another (ITU-T E.164). */
const CALLING_CODE = /^(?:1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})/

/** Returns the calling code of a phone number in its wire form (spec/accounts#phone). */
export const callingCodeOf = (phone: string): string => CALLING_CODE.exec(phone)?.[0] ?? phone

/**
 * Where a number begins with a zero behind the calling code: landlines of Italy, mobile phones of Ivory Coast, Burkina Faso,
 * Benin, Gabon, Congo and Tajikistan. Elsewhere the zero is dialled within the country alone. A test compares it with the plans.
 */
const ZERO_BELONGS = new Set(['39', '225', '226', '229', '241', '242', '992'])

/** Whether a new number is one of E.164, in the one spelling that its phone has (spec/accounts#phone). */
export function isPhoneNumber(digits: string): boolean {
  const callingCode = callingCodeOf(digits)
  const hasZero = digits[callingCode.length] === '0'
  return /^[1-9]\d{6,14}$/.test(digits) && (!hasZero || ZERO_BELONGS.has(callingCode))
}

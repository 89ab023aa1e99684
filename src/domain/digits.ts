/** Returns the digits in a text as ASCII digits. Full-width, Arabic, Persian, Hindi and Thai digits are converted. */
export const extractDigits = (text: string): string =>
  text.normalize('NFKC').replaceAll(/\D/g, (character) => {
    const index = OTHER_DIGITS.indexOf(character)
    return index < 0 ? '' : String(index % 10)
  })

/** The digits that keyboards of our languages type, ten of each script. */
const OTHER_DIGITS = '٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹०१२३४५६७८९๐๑๒๓๔๕๖๗๘๙'

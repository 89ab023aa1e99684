/**
 * Returns the digits in a text as ASCII digits. Full-width digits are converted, and so are those of Arabic and Persian
 * keyboards, whose code points end in the digit itself.
 */
export const extractDigits = (text: string): string =>
  text
    .normalize('NFKC')
    .replaceAll(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 15))
    .replaceAll(/\D/g, '')

/** Returns the digits in a text as ASCII digits. Full-width digits are converted. */
export const extractDigits = (text: string): string => text.normalize('NFKC').replaceAll(/\D/g, '')

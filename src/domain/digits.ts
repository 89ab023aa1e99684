/** Returns the digits of a text in ASCII. Full-width digits are converted. */
export const extractDigits = (text: string): string => text.normalize('NFKC').replaceAll(/\D/g, '')

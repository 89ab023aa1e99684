/** Returns the digits of a text in ASCII, including those that were full-width. */
export const extractDigits = (text: string): string => text.normalize('NFKC').replaceAll(/\D/g, '')

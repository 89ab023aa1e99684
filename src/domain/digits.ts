/** The ASCII digits of a text, also of full-width ones. */
export const digitsOf = (text: string): string => text.normalize('NFKC').replaceAll(/\D/g, '')

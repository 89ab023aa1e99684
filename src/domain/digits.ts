/** The digits of a text, in the form every number has on the wire: also of what was typed full-width. */
export const digitsOf = (text: string): string => text.normalize('NFKC').replaceAll(/\D/g, '')

/** Checks for white space and control characters, which addresses and names must not contain. */
export const hasBlank = (text: string): boolean => /[\s\p{Cc}]/u.test(text)

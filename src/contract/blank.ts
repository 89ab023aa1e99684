/** Checks for white space and control characters, which addresses and names must not contain. */
export const hasSpaceOrControl = (text: string): boolean => /[\s\p{Cc}]/u.test(text)

/**
 * Splits the content of a text area into values, one per line. Blank lines, which users may type, are ignored.
 */
export const splitLines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

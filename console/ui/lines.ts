/** Splits the text of a text area into values. Blank lines are allowed while typing but aren't values. */
export const splitLines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

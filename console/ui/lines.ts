/** What the lines of a text area stand for: blank ones are seen while one types, and are no values. */
export const splitLines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

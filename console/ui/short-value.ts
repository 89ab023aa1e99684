type Words = Readonly<Record<'nothing' | 'on' | 'off', string>>

/** Characters of a value that is compared with another one in a line. */
const MAX_LENGTH = 40

/** A value of a field, to be recognized. */
export function shortValue(value: unknown, words: Words): string {
  switch (typeof value) {
    case 'boolean':
      return value ? words.on : words.off
    case 'string':
      return value === '' ? words.nothing : `“${cut(value)}”`
    case 'object': {
      if (value === null || Object.keys(value).length === 0) return words.nothing
      const isList = Array.isArray(value) && value.every((item) => typeof item !== 'object')
      return isList ? `“${cut(value.join(', '))}”` : cut(JSON.stringify(value))
    }
    default:
      return value === undefined ? words.nothing : String(value)
  }
}

function cut(text: string): string {
  const characters = [...text]
  return characters.length > MAX_LENGTH ? `${characters.slice(0, MAX_LENGTH - 1).join('')}…` : text
}

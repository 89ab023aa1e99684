/** Large email providers whose names are long enough that a similar domain is probably a mistake. */
const providers = [
  'gmail.com',
  'googlemail.com',
  'hotmail.com',
  'outlook.com',
  'yahoo.com',
  'icloud.com',
  'proton.me',
  'protonmail.com',
  'comcast.net',
  't-online.de',
  'yandex.ru',
  'naver.com',
]

/** Domains that are similar to a provider's and also have mailboxes. */
const others = ['cloud.com', 'email.com', 'fastmail.com', 'gail.com', 'mail.com', 'never.com', 'ymail.com']

/**
 * Returns the address with the domain of the large provider that the user probably meant, or null if the domain may be
 * right, or may become right while the user is still typing (spec/pages#mistyped-domains). Nothing is looked up.
 */
export function correctDomain(address: string): string | null {
  const [, local, typed] = /^([^\s@]+@)([^\s@]+)$/.exec(address.trim()) ?? []
  if (!local || !typed) return null
  const domain = typed.toLowerCase()
  if ([...providers, ...others].some((each) => each.startsWith(domain))) return null
  const meant = providers.find((provider) => isMistyped(domain, provider))
  return meant === undefined ? null : local + meant
}

function isMistyped(domain: string, provider: string): boolean {
  const [name = '', ending = '', ...more] = domain.split('.')
  const [providerName = '', providerEnding = ''] = provider.split('.')
  // Providers have domains in many countries, such as yahoo.fr and hotmail.co.uk.
  if (more.length > 0 || (name === providerName && /^(?!cm|om)..$/.test(ending))) return false
  return (
    countTypos(ending, providerEnding) <= 1 &&
    countTypos(name, providerName) <= (providerName.length > 8 ? 2 : 1)
  )
}

/**
 * Counts the missing, additional, wrong and swapped letters of a text (the restricted Damerau–Levenshtein distance).
 * The rows of the table belong to the letters of `typed`, the columns to those of `meant`.
 */
export function countTypos(typed: string, meant: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: meant.length + 1 }, (_, column) => column)
  for (let row = 1; row <= typed.length; row++) {
    const current = [row]
    for (let column = 1; column <= meant.length; column++) {
      const isSame = typed[row - 1] === meant[column - 1]
      const isSwapped = typed[row - 1] === meant[column - 2] && typed[row - 2] === meant[column - 1]
      current[column] = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (isSame ? 0 : 1),
        isSwapped ? at(beforeLast, column - 2) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    beforeLast = last
    last = current
  }
  return at(last, meant.length)
}

const at = (row: readonly number[], column: number) => row[column] ?? Number.POSITIVE_INFINITY

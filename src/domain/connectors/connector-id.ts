/** Leaves room for a suffix within the 128 characters of an id. */
const BASE_MAX_LENGTH = 120

/**
 * Returns the id of a new connector, which is visible in its callback URL. It is the target if that is valid as an id
 * and no connector has it, and otherwise resembles it (spec/management#connectors-api).
 */
export function chooseConnectorId(target: string, usedIds: readonly string[]): string {
  const text = target.replaceAll(/[^\w-]+/g, '-').slice(0, BASE_MAX_LENGTH)
  const base = /\w/.test(text) ? text : 'connector'
  const more = usedIds.map((_, at) => `${base}-${at + 2}`)
  return [base, ...more].find((id) => !usedIds.includes(id)) ?? base
}

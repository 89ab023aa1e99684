import type { FormItem } from '../../contract/connectors.ts'
import { secretsLedAway, withStoredSecrets } from '../../domain/connector-secrets.ts'
import { invalidInput } from '../guard.ts'

type Config = Record<string, unknown>

/** What was given, with the stored secrets it stands for; refused where one would go to another server than before. */
export function wholeConfig(
  given: Config,
  stored: Config,
  { formItems }: { formItems: readonly FormItem[] },
): Config {
  const message = 'must be given again, because it would be sent to another server'
  const issues = secretsLedAway(given, stored, formItems).map((key) => ({ path: ['config', key], message }))
  if (issues.length > 0) throw invalidInput({ issues })
  return withStoredSecrets(given, stored, formItems)
}

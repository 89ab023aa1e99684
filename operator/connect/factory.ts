import type { z } from 'zod'
import type { ConnectorFactorySchema } from '../../src/contract/connectors/connectors.schema.ts'
import { UsageError } from '../failure.ts'

export type Factory = z.output<typeof ConnectorFactorySchema>

/** By its id, its target, or the beginning of its id: `google` for `google-universal`. */
export function findFactory(factories: readonly Factory[], name: string): Factory {
  const wanted = name.toLowerCase()
  const matches: ((factory: Factory) => boolean)[] = [
    ({ id }) => id === wanted,
    ({ target }) => target === wanted,
    ({ id }) => id.startsWith(`${wanted}-`),
    ({ id, target }) => id.includes(wanted) || target.includes(wanted),
  ]
  for (const isMatch of matches) {
    const [found, ...others] = factories.filter(isMatch)
    if (found && others.length === 0) return found
    if (found) throw new UsageError(`"${name}" may be ${namesOf([found, ...others])}.`)
  }
  throw new UsageError(`There is no provider "${name}". There are: ${namesOf(factories)}.`)
}

const namesOf = (factories: readonly Factory[]) => factories.map(({ id }) => id).join(', ')

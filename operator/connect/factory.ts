import type { z } from 'zod'
import type { ConnectorFactorySchema } from '../../src/contract/connectors/connectors.schema.ts'
import { UsageError } from '../failure.ts'

export type Factory = z.output<typeof ConnectorFactorySchema>

/** By its id, its target, or the beginning of its id: `google` for `google-universal`. */
export function findFactory(factories: readonly Factory[], name: string): Factory {
  const query = name.toLowerCase()
  const matches: ((factory: Factory) => boolean)[] = [
    ({ id }) => id === query,
    ({ target }) => target === query,
    ({ id }) => id.startsWith(`${query}-`),
    ({ id, target }) => id.includes(query) || target.includes(query),
  ]
  for (const isMatch of matches) {
    const [factory, ...others] = factories.filter(isMatch)
    if (factory && others.length === 0) return factory
    if (factory) throw new UsageError(`"${name}" may be ${namesOf([factory, ...others])}.`)
  }
  throw new UsageError(`There is no provider "${name}". There are: ${namesOf(factories)}.`)
}

const namesOf = (factories: readonly Factory[]) => factories.map(({ id }) => id).join(', ')

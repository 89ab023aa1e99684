import type { Provider } from 'oidc-provider'

/** Adds a field to those that the library stores of a model, so that it survives a change of the row's id. */
export function storeField(model: Provider['Session'] | Provider['Grant'], name: string): void {
  const names: readonly string[] = Reflect.get(model, 'IN_PAYLOAD')
  Object.defineProperty(model, 'IN_PAYLOAD', { value: [...names, name] })
}

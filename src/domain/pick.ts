/** Returns a copy of an object with only the named fields. */
export const pick = <T extends object, Name extends keyof T>(value: T, names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, value[name]])) as Pick<T, Name>

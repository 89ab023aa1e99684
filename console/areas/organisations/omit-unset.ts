/** Removes the keys without a value, which the API would reject in a policy or a brand. */
export const omitUnset = <T extends object>(value: T): T =>
  Object.fromEntries(
    Object.entries(value).filter(
      ([, item]) => item !== undefined && item !== null && !(Array.isArray(item) && item.length === 0),
    ),
  ) as T

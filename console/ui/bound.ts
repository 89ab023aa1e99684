import { type ApiProblem, findProblem } from '../api/problem.ts'

type Binding<T> = {
  value: T
  /**
   * The path of the value in the entity, such as `passkeys`, or undefined if the value is the entity itself.
   */
  path?: string
  problems: ApiProblem['fields']
  isDisabled: boolean | ((name: keyof T) => boolean)
  change: (changes: Partial<T>) => void
}

/** The keys whose values all have the type `Value`. */
type KeyOf<T, Value> = { [K in keyof T]-?: T[K] extends Value ? K : never }[keyof T] & string

/**
 * Returns functions that build the props of form fields, each bound to one value: the value itself, its problem and a
 * change handler.
 */
export function bindFields<T extends object>({ value, path, problems, isDisabled, change }: Binding<T>) {
  const props = <Name extends keyof T & string, Field>(
    name: Name,
    field: Field,
    read: (field: Field) => unknown = (next) => next,
  ) => ({
    ...disabledProps(name),
    value: field,
    problem: findProblem(problems, path ? `${path}.${name}` : name),
    onChange: (next: Field) => set(name, read(next)),
  })
  const disabledProps = (name: keyof T) => ({
    isDisabled: typeof isDisabled === 'boolean' ? isDisabled : isDisabled(name),
  })
  const set = (name: keyof T, next: unknown) => change({ [name]: next } as Partial<T>)
  return {
    text: (name: KeyOf<T, string>) => props(name, String(value[name])),
    /** Binds a text field. An empty field is stored as null. */
    nullable: (name: KeyOf<T, string | null | undefined>) =>
      props(name, String(value[name] ?? ''), (text) => text || null),
    /** Binds an optional text field. An empty field is removed. */
    optional: (name: KeyOf<T, string | undefined>) =>
      props(name, String(value[name] ?? ''), (text) => text || undefined),
    /**
     * Binds a number field. An empty field becomes NaN, which the API rejects with an error that says what it expects.
     * Drafts are JSON and store NaN as null.
     */
    number: (name: KeyOf<T, number | null | undefined>, none: number | null = Number.NaN) => ({
      ...props(name, numberText(value[name]), (text) => (text === '' ? none : Number(text))),
      type: 'number' as const,
    }),
    /** Binds a list of lines. If `none` is null, an empty list is stored as null. */
    lines: <Name extends KeyOf<T, readonly string[] | null | undefined>>(name: Name, none?: null) =>
      props(name, (value[name] ?? []) as readonly string[], (lines: readonly string[]) =>
        lines.length === 0 && none === null ? null : lines,
      ),
    choice: <Name extends keyof T & string>(name: Name) => props<Name, T[Name]>(name, value[name]),
    /** Binds a checkbox. `off` is the value that is stored when it is unchecked. */
    flag: (name: KeyOf<T, boolean | null | undefined>, off: false | null = false) => ({
      ...disabledProps(name),
      isSelected: value[name] === true,
      onChange: (isOn: boolean) => set(name, isOn || off),
    }),
  }
}

const numberText = (value: unknown): string => (Number.isFinite(value) ? String(value) : '')

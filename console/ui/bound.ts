import { type ApiProblem, findProblem } from '../api/problem.ts'

type Binding<T> = {
  value: T
  /** Where it is in the entity: `passkeys`. Nowhere for the entity itself. */
  path?: string
  problems: ApiProblem['fields']
  isDisabled: boolean | ((name: keyof T) => boolean)
  change: (changes: Partial<T>) => void
}

/** The keys whose values are all of this type. */
type KeyOf<T, Value> = { [K in keyof T]-?: T[K] extends Value ? K : never }[keyof T] & string

/** The props of fields that are each bound to one value: what it is, what is wrong with it, and how it changes. */
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
    /** Null where it is empty. */
    nullable: (name: KeyOf<T, string | null | undefined>) =>
      props(name, String(value[name] ?? ''), (text) => text || null),
    /** Absent where it is empty. */
    optional: (name: KeyOf<T, string | undefined>) =>
      props(name, String(value[name] ?? ''), (text) => text || undefined),
    /** An empty field is no number: the API says what it wants. A draft is JSON, in which such a number is null. */
    number: (name: KeyOf<T, number | null | undefined>, none: number | null = Number.NaN) => ({
      ...props(name, numberText(value[name]), (text) => (text === '' ? none : Number(text))),
      type: 'number' as const,
    }),
    /** Of `none`, an empty list is no list. */
    lines: <Name extends KeyOf<T, readonly string[] | null | undefined>>(name: Name, none?: null) =>
      props(name, (value[name] ?? []) as readonly string[], (lines: readonly string[]) =>
        lines.length === 0 && none === null ? null : lines,
      ),
    choice: <Name extends keyof T & string>(name: Name) => props<Name, T[Name]>(name, value[name]),
    /** `off` is what is stored for it. */
    flag: (name: KeyOf<T, boolean | null | undefined>, off: false | null = false) => ({
      ...disabledProps(name),
      isSelected: value[name] === true,
      onChange: (isOn: boolean) => set(name, isOn || off),
    }),
  }
}

const numberText = (value: unknown): string => (Number.isFinite(value) ? String(value) : '')

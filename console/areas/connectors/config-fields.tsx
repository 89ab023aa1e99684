import { useT } from '../../phrases.ts'
import { Select, Switch, TextField } from '../../ui/fields.tsx'
import { type Config, type Inputs, type Item, isShown } from './config.ts'
import { texts } from './phrases.ts'

type ConfigFieldsProps = {
  items: readonly Item[]
  inputs: Inputs
  stored: Config | null
  problems: Readonly<Record<string, string>>
  isDisabled: boolean
  onChange: (inputs: Inputs) => void
}

/**
 * The form of a configuration, as the factory describes it. Labels are those of the provider, in English. What most operators
 * leave as it is is folded away, unless there is something to see.
 */
export function ConfigFields({ items, ...given }: ConfigFieldsProps) {
  const t = useT(texts)
  const rare = items.filter(isRare)
  const holdsSomething = rare.some(({ key }) => given.problems[key] || given.stored?.[key] !== undefined)
  return (
    <>
      <SomeFields items={items.filter((item) => !isRare(item))} {...given} />
      {rare.length > 0 && (
        <details className="more" open={holdsSomething}>
          <summary>{t('more')}</summary>
          <SomeFields items={rare} {...given} />
        </details>
      )}
    </>
  )
}

const isRare = ({ key, required, isSecret, type }: Item): boolean =>
  !required && !isSecret && (type === 'Json' || key === 'scope' || key.endsWith('Endpoint'))

function SomeFields({ items, inputs, onChange, ...others }: ConfigFieldsProps) {
  return items
    .filter((item) => isShown(item, inputs))
    .map((item) => (
      <ConfigField
        key={item.key}
        item={item}
        input={inputs[item.key] ?? ''}
        {...others}
        onChange={(input) => onChange({ ...inputs, [item.key]: input })}
      />
    ))
}

type ConfigFieldProps = Omit<ConfigFieldsProps, 'items' | 'inputs' | 'onChange'> & {
  item: Item
  input: string | boolean
  onChange: (input: string | boolean) => void
}

const rows = { Json: 8, MultilineText: 6 } as const

function ConfigField({ item, input, stored, problems, isDisabled, onChange }: ConfigFieldProps) {
  const t = useT(texts)
  const { key, label, type, isSecret, description, tooltip } = item
  const isKept = isSecret === true && stored?.[key] !== undefined
  const hint = isKept ? t('secretKept') : (description ?? tooltip)
  if (typeof input === 'boolean') {
    return <Switch {...{ label, hint, isDisabled, onChange }} isSelected={input} />
  }
  const common = { label, hint, isDisabled, value: input, problem: problems[key], onChange }
  if (type === 'Select') {
    const options = (item.selectItems ?? []).map(({ value, title }) => ({ value, label: title }))
    return <Select {...common} options={[{ value: '', label: t('chooseOne') }, ...options]} />
  }
  return (
    <TextField
      {...common}
      isCode={type === 'Json'}
      rows={type === 'Json' || type === 'MultilineText' ? rows[type] : 1}
      placeholder={item.placeholder ?? ''}
      isRequired={item.required === true && !isKept}
      autoComplete="off"
      type={isSecret && type === 'Text' ? 'password' : 'text'}
    />
  )
}

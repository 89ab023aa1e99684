import { useT } from '../../phrases.ts'
import { Select, Switch, TextField } from '../../ui/fields.tsx'
import {
  type FieldInput,
  type FormItem,
  hasValue,
  isCustomized,
  isItemVisible,
  looksUnusual,
} from './config.ts'
import { texts } from './phrases.ts'
import type { ConfigFieldsState } from './use-config-fields.ts'

type ConfigFieldsProps = {
  fields: ConfigFieldsState
  isDisabled: boolean
  /** The keys of the secrets that were typed in but didn't survive a reload. */
  lost?: readonly string[]
}

/**
 * The form of a connector's configuration, as described by the factory, in the language of the console.
 * Settings that most operators don't change are collapsed, unless they have a problem or a value of their own. Message
 * templates have an editor instead of a field (`templates.tsx`).
 */
export function ConfigFields({ fields, isDisabled, lost = [] }: ConfigFieldsProps) {
  const t = useT(texts)
  const { items, problems, stored, inputs } = fields
  const draw = (item: FormItem) => (
    <ConfigField
      key={item.key}
      item={item}
      input={inputs[item.key] ?? ''}
      hasStoredSecret={item.isSecret === true && hasValue(stored, item.key)}
      isLost={lost.includes(item.key)}
      problem={problems[item.key]}
      isDisabled={isDisabled || fields.isBusy}
      onChange={(input) => fields.change(item, input)}
    />
  )
  const visible = items.filter((item) => !item.format && isItemVisible(item, inputs))
  const advanced = visible.filter(isAdvanced)
  const holdsSomething = advanced.some((item) => problems[item.key] || isCustomized(item, stored))
  return (
    <div className="config-fields" ref={fields.place}>
      {visible.filter((item) => !isAdvanced(item)).map(draw)}
      {advanced.length > 0 && (
        <details className="more-settings" open={holdsSomething}>
          <summary>{t('more')}</summary>
          {advanced.map(draw)}
        </details>
      )}
    </div>
  )
}

const isAdvanced = ({ key, required, isSecret, type, isAdvanced: isMarked }: FormItem): boolean =>
  isMarked || (!required && !isSecret && (type === 'Json' || key === 'scope' || key.endsWith('Endpoint')))

type ConfigFieldProps = {
  item: FormItem
  input: FieldInput
  /** True if a secret is stored. The API doesn't return its value. */
  hasStoredSecret: boolean
  isLost: boolean
  problem: string | undefined
  isDisabled: boolean
  onChange: (input: FieldInput) => void
}

const rows = { Json: 8, MultilineText: 6 } as const

function ConfigField({
  item,
  input,
  hasStoredSecret,
  isLost,
  problem,
  isDisabled,
  onChange,
}: ConfigFieldProps) {
  const t = useT(texts)
  const { label, type, isSecret, description, tooltip } = item
  const usual = hasStoredSecret ? t('secretKept') : (description ?? tooltip)
  const unusual = looksUnusual(item, input) && (
    <strong className="unusual">{t('unusual', { example: item.placeholder ?? '' })}</strong>
  )
  const hint = isLost ? (
    <span className="problem">{t(hasStoredSecret ? 'secretLostKept' : 'secretLost')}</span>
  ) : (
    unusual || usual
  )
  if (typeof input === 'boolean') {
    return <Switch label={label} hint={hint} isDisabled={isDisabled} isSelected={input} onChange={onChange} />
  }
  const common = { label, hint, isDisabled, value: input, problem, onChange }
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
      isRequired={item.required === true && !hasStoredSecret}
      autoComplete="off"
      type={isSecret && type === 'Text' ? 'password' : 'text'}
    />
  )
}

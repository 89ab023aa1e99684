import { useRef } from 'react'
import { findUnknownVariables, variablesOf } from '../../../src/domain/connectors/template-variables.ts'
import { useT } from '../../phrases.ts'
import { Button } from '../../ui/button.tsx'
import { Select, TextField } from '../../ui/fields.tsx'
import { contentTypeOf, type Template, type TemplateText } from './template-list.ts'
import { texts } from './template-phrases.ts'

type TemplateFieldsProps = {
  template: Template
  isMail: boolean
  isReadOnly: boolean
  problem: string | undefined
  onChange: (next: TemplateText | null) => void
}

/** The fields of a template, with warnings about its placeholders. */
export function TemplateFields({ template, isMail, isReadOnly, problem, onChange }: TemplateFieldsProps) {
  const t = useT(texts)
  const place = useRef<HTMLDivElement>(null)
  const { usageType, subject, content } = template
  const contentType = contentTypeOf(template)
  const change = (next: Partial<TemplateText>) => {
    const changed = { ...(subject && { subject }), content, ...(isMail && { contentType }), ...next }
    const { subject: nextSubject, ...others } = changed
    onChange(nextSubject ? { subject: nextSubject, ...others } : others)
  }
  const variables = variablesOf(usageType)
  const insert = (placeholder: string) => {
    const field = place.current?.querySelector('textarea')
    if (!field) return
    const end = field.selectionStart + placeholder.length
    change({
      content: content.slice(0, field.selectionStart) + placeholder + content.slice(field.selectionEnd),
    })
    requestAnimationFrame(() => {
      field.focus()
      field.setSelectionRange(end, end)
    })
  }
  const unknown = findUnknownVariables(`${subject ?? ''}\n${content}`, usageType)
  const warnings = [
    ...(unknown.length > 0 ? [t('unknown', { names: unknown.join(', ') })] : []),
    ...(variables.includes('code') && !/\{\{\s*code\s*\}\}/.test(content)
      ? [t('noCode', { name: '{{code}}' })]
      : []),
  ]
  return (
    <div className="config-fields" ref={place}>
      {isMail && (
        <>
          <Select
            label={t('format')}
            value={contentType}
            isDisabled={isReadOnly}
            options={[
              { value: 'text/plain', label: t('plain') },
              { value: 'text/html', label: t('html') },
            ]}
            onChange={(next) => change({ contentType: next })}
          />
          <TextField
            label={t('subject')}
            hint={t('subjectHint')}
            value={subject ?? ''}
            isDisabled={isReadOnly}
            onChange={(next) => change({ subject: next })}
          />
        </>
      )}
      <TextField
        label={t('content')}
        rows={isMail ? 14 : 5}
        isCode={isMail && contentType === 'text/html'}
        value={content}
        isDisabled={isReadOnly}
        problem={problem}
        hint={
          <span role="status">
            {warnings.map((warning) => (
              <strong className="unusual" key={warning}>
                {warning}
              </strong>
            ))}
          </span>
        }
        onChange={(next) => change({ content: next })}
      />
      <fieldset className="variables">
        <legend>{t('variables')}</legend>
        {variables.map((variable) => (
          <div key={variable}>
            <Button
              kind="quiet"
              isDisabled={isReadOnly}
              aria-label={t('insert', { name: `{{${variable}}}` })}
              onPress={() => insert(`{{${variable}}}`)}
            >
              <code>{`{{${variable}}}`}</code>
            </Button>
            <span className="hint">{t(variable)}</span>
          </div>
        ))}
      </fieldset>
      {!isReadOnly && (
        <div className="actions">
          <Button onPress={() => onChange(null)}>{t('remove')}</Button>
        </div>
      )}
    </div>
  )
}

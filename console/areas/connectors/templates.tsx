import { useState } from 'react'
import { builtInLanguages } from '../../../src/contract/experience/languages.ts'
import { languageNames } from '../../../src/domain/experience/language-names.ts'
import { useLanguage, useT } from '../../phrases.ts'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/fields.tsx'
import { Card } from '../../ui/page.tsx'
import type { Factory } from './config.ts'
import type { ConnectorForm } from './connector-form.ts'
import { TemplateChoices } from './template-choices.tsx'
import { TemplateFields } from './template-fields.tsx'
import {
  type ContentType,
  isTemplateFor,
  readTemplates,
  replaceTemplate,
  type TemplateName,
  type TemplateText,
} from './template-list.ts'
import { texts } from './template-phrases.ts'
import { type Preview, PreviewPane, usePreview } from './template-preview.tsx'
import { TryMessage } from './try-message.tsx'

/** The key of the list of templates in a configuration. */
const KEY = 'templates'

type TemplatesProps = { factory: Factory; form: ConnectorForm; isReadOnly: boolean }

/** Edits the operator's texts of messages, with a preview and a test (spec/connectors#message-templates). */
export default function Templates({ factory, form, isReadOnly }: TemplatesProps) {
  const t = useT(texts)
  const consoleLanguage = useLanguage()
  const [name, setName] = useState<TemplateName>({ usageType: 'SignIn', language: '' })
  const templates = readTemplates(form.value.config[KEY])
  const own = templates.find(isTemplateFor(name))
  const general = templates.find(isTemplateFor({ ...name, language: '' }))
  const [ownLanguage, setOwnLanguage] = useState<string>(consoleLanguage)
  const language = name.language || ownLanguage
  const preview = usePreview({
    factoryId: factory.id,
    usageType: name.usageType,
    language,
    template: own ?? general,
    isEnabled: !isReadOnly,
  })
  // While the preview of another message is still shown, its text is that of the other message.
  const builtIn = preview.isPlaceholderData ? undefined : preview.data?.builtIn
  const isMail = factory.type === 'Email'
  const write = (next: TemplateText | null) => form.fields.write(KEY, replaceTemplate(templates, name, next))
  const begin = (builtIn: Preview['builtIn'], contentType: ContentType) =>
    write({
      ...(builtIn.subject !== null && { subject: builtIn.subject, contentType }),
      content: (contentType === 'text/html' ? builtIn.html : builtIn.text) ?? '',
    })
  return (
    <Card title={t('title')} lead={t('lead')}>
      <div className="filters template-choices">
        <TemplateChoices isMail={isMail} name={name} templates={templates} onChange={setName} />
      </div>
      <div className="beside guided">
        {own ? (
          <TemplateFields
            key={`${name.usageType}/${name.language}`}
            template={own}
            isMail={isMail}
            isReadOnly={isReadOnly}
            problem={form.fields.problems[KEY]}
            onChange={write}
          />
        ) : (
          <div className="config-fields">
            <p>{t(general ? 'generalUsed' : 'builtInUsed')}</p>
            {builtIn && !isReadOnly && (
              <>
                {name.language === '' && <OurLanguage value={ownLanguage} onChange={setOwnLanguage} />}
                <BeginButtons isMail={isMail} onBegin={(type) => begin(builtIn, type)} />
              </>
            )}
          </div>
        )}
        {!isReadOnly && <PreviewPane preview={preview} />}
      </div>
      {!isReadOnly && (
        <TryMessage
          factory={factory}
          withConfig={form.fields.use}
          choice={{ usageType: name.usageType, language }}
        />
      )}
    </Card>
  )
}

type OurLanguageProps = { value: string; onChange: (language: string) => void }

/** Chooses the language of our text with which a text for all languages begins. */
function OurLanguage({ value, onChange }: OurLanguageProps) {
  const t = useT(texts)
  return (
    <Select
      label={t('ourLanguage')}
      hint={t('ourLanguageHint')}
      value={value}
      options={languageNames([...builtInLanguages]).map(({ tag, name }) => ({ value: tag, label: name }))}
      onChange={onChange}
    />
  )
}

type BeginButtonsProps = { isMail: boolean; onBegin: (type: ContentType) => void }

function BeginButtons({ isMail, onBegin }: BeginButtonsProps) {
  const t = useT(texts)
  return (
    <div className="actions">
      <Button onPress={() => onBegin('text/plain')}>{t(isMail ? 'beginPlain' : 'beginText')}</Button>
      {isMail && <Button onPress={() => onBegin('text/html')}>{t('beginHtml')}</Button>}
    </div>
  )
}

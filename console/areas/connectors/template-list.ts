import type { UsageType } from '../../../src/contract/connectors/message-types.ts'

/**
 * An operator's template for a type of message, in one language or in all of them (spec/connectors#message-templates).
 */
export type Template = {
  usageType: UsageType
  language?: string
  subject?: string
  content: string
  contentType?: ContentType
  /** SendGrid's name for `contentType`. */
  type?: ContentType
}
export type ContentType = 'text/plain' | 'text/html'

/** The part of a template that an operator writes. */
export type TemplateText = Pick<Template, 'subject' | 'content' | 'contentType'>

/** Names a template. An empty language stands for all languages. */
export type TemplateName = { usageType: Template['usageType']; language: string }

/** Returns the templates of a configuration. Anything else that the API stored is ignored. */
export const readTemplates = (value: unknown): readonly Template[] =>
  Array.isArray(value) ? (value as Template[]) : []

export const isTemplateFor =
  ({ usageType, language }: TemplateName) =>
  (template: Template): boolean =>
    template.usageType === usageType && (template.language ?? '') === language

export const contentTypeOf = ({ contentType, type }: Template): ContentType =>
  contentType ?? type ?? 'text/html'

/** Returns the list with another template of this name in the same place, or without one. */
export function replaceTemplate(
  templates: readonly Template[],
  { usageType, language }: TemplateName,
  next: TemplateText | null,
): Template[] {
  const isReplaced = isTemplateFor({ usageType, language })
  const template = next && { usageType, ...(language && { language }), ...next }
  if (!template) return templates.filter((each) => !isReplaced(each))
  return templates.some(isReplaced)
    ? templates.map((each) => (isReplaced(each) ? template : each))
    : [...templates, template]
}

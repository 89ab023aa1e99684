import {
  INVITATION_MESSAGE,
  type NoticeType,
  noticeTypes,
  ORGANIZATION_INVITATION_MESSAGE,
  type UsageType,
} from '../../contract/connectors/message-types.ts'

/** The placeholders of message templates (spec/connectors#message-templates). */

type TemplateVariable = 'code' | 'brand' | 'link' | 'date' | 'organization' | 'inviter'

export const isNotice = (type: UsageType): type is NoticeType =>
  (noticeTypes as readonly string[]).includes(type)

/** Returns the variables that have a value in messages of a type. In all other messages, they are empty. */
export function variablesOf(type: UsageType): readonly TemplateVariable[] {
  if (type === INVITATION_MESSAGE) return ['brand', 'link', 'date']
  if (type === ORGANIZATION_INVITATION_MESSAGE) return ['brand', 'link', 'date', 'organization', 'inviter']
  if (!isNotice(type)) return ['code', 'brand']
  switch (type) {
    case 'EmailChanged':
    case 'PhoneChanged':
      return ['brand', 'link']
    case 'DeletionRequested':
      return ['brand', 'date']
    default:
      return ['brand']
  }
}

/** Returns the placeholders in a text that have no value in messages of this type, each once and as written. */
export const findUnknownVariables = (text: string, type: UsageType): string[] => [
  ...new Set(
    [...text.matchAll(/\{\{(.+?)\}\}/g)].flatMap(([placeholder, name = '']) =>
      (variablesOf(type) as readonly string[]).includes(name.trim()) ? [] : [placeholder],
    ),
  ),
]

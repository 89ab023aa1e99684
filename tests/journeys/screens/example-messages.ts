import type { MessageType, NoticeType } from '../../../src/contract/connectors/connectors.ts'
import type { Message } from '../../../src/outbound/messages/message.ts'

/** Messages with values like those of a real tenant. */

const withUndo: readonly (MessageType | NoticeType)[] = ['EmailChanged', 'PhoneChanged']

export const exampleOf = (type: MessageType | NoticeType, language: string): Message => ({
  ...{ to: 'ada.lovelace@example.com', type, language },
  code: '482913',
  brand: 'Northwind',
  host: 'login.northwind.example',
  link: withUndo.includes(type) ? 'https://login.northwind.example/account/undo?change=abc' : undefined,
  aboutAt: Date.UTC(2026, 10, 27, 14, 5),
})

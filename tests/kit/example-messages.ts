import {
  INVITATION_MESSAGE,
  messageTypes,
  noticeTypes,
  ORGANIZATION_INVITATION_MESSAGE,
} from '../../src/contract/connectors/message-types.ts'
import { DEFAULT_EXPERIENCE } from '../../src/contract/experience/experience.ts'
import type { Message } from '../../src/outbound/messages/message.ts'
import { renderMessage } from '../../src/outbound/messages/templates.ts'

/**
 * A message of each type, and a code of the second factor, with example values. An address change comes with and
 * without the link to undo it.
 */

const common = {
  to: 'ada@example.com',
  brand: 'Northwind Bank',
  host: 'id.northwind.example',
  look: { color: { ...DEFAULT_EXPERIENCE.color, primaryColor: '#0B5FFF', darkPrimaryColor: '#5C93FF' } },
  supportContact: 'support@northwind.example',
}

const SENT_AT = Date.UTC(2026, 10, 27, 18, 5)
const facts = {
  userAgent:
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36',
  city: 'Berlin',
  country: 'DE',
  timeZone: 'Europe/Berlin',
}
const addresses = {
  EmailChanged: { previous: 'emma****@example.com', current: 'e.la****@example.org' },
  PhoneChanged: { previous: '****0110', current: '****0155' },
}
const undoLink = 'https://id.northwind.example/account/undo?change=example'

export const exampleMessages = (language: string): (Message & { name: string })[] => [
  ...messageTypes.map((type) => ({ ...common, name: type, type, language, code: '482913' })),
  { ...common, name: 'SecondFactor', type: 'SignIn', language, code: '482913', firstFactor: 'password' },
  {
    ...common,
    name: INVITATION_MESSAGE,
    type: INVITATION_MESSAGE,
    language,
    code: '',
    aboutAt: SENT_AT,
    link: 'https://id.northwind.example/account/invitation?token=example',
  },
  {
    ...common,
    name: ORGANIZATION_INVITATION_MESSAGE,
    type: ORGANIZATION_INVITATION_MESSAGE,
    language,
    code: '',
    organization: 'Acme',
    inviter: 'Ann Lee',
    aboutAt: SENT_AT,
    link: 'https://id.northwind.example/account/organization-invitation?token=example',
  },
  ...noticeTypes.flatMap((type) => {
    const changed = type === 'EmailChanged' || type === 'PhoneChanged' ? addresses[type] : {}
    const notice = {
      at: SENT_AT,
      facts: { ...facts, ...changed },
      notMe: 'https://id.northwind.example/account/not-me',
    }
    const aboutAt = type === 'DeletionRequested' ? SENT_AT + 14 * 86_400_000 : undefined
    const message = { ...common, name: type, type, language, code: '', notice, aboutAt }
    return 'previous' in changed ? [message, { ...message, name: `${type}-undo`, link: undoLink }] : [message]
  }),
]

/** Renders every message as an e-mail, with Vestibule's own texts. */
export const renderExampleMails = (language: string) =>
  Promise.all(
    exampleMessages(language).map(async (message) => ({
      name: message.name,
      ...(await renderMessage('Email', {}, message)),
    })),
  )

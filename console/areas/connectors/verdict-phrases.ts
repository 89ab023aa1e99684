import { phrases } from '../../phrases.ts'

/** The results of a check of credentials (spec/connectors#credential-check). */
export const verdictTexts = phrases({
  en: {
    accepted: 'The provider recognizes the credentials.',
    refused: 'The provider rejects the credentials.',
    unclear: 'The provider neither confirmed nor rejected the credentials.',
    unreachable: 'The provider isn’t responding.',
    tooLate: 'The provider didn’t respond in time.',
    unreadable: 'We can’t read the provider’s response.',
    unsupported: 'This provider doesn’t offer a way to check credentials.',
    because: 'The provider says: {reason}',
  },
  de: {
    accepted: 'Der Anbieter akzeptiert die Zugangsdaten.',
    refused: 'Der Anbieter lehnt die Zugangsdaten ab.',
    unclear: 'Der Anbieter hat die Zugangsdaten weder bestätigt noch abgelehnt.',
    unreachable: 'Der Anbieter antwortet nicht.',
    tooLate: 'Der Anbieter hat nicht rechtzeitig geantwortet.',
    unreadable: 'Die Antwort des Anbieters ist nicht lesbar.',
    unsupported: 'Bei diesem Anbieter lassen sich Zugangsdaten nicht prüfen.',
    because: 'Der Anbieter sagt: {reason}',
  },
})

import { phrases } from '../../phrases.ts'

export const texts = phrases({
  en: {
    title: 'Applications',
    lead: 'Websites, apps and services whose users sign in here.',
    name: 'Name',
    type: 'Kind',
    id: 'Client ID',
    created: 'Created',
    description: 'Description',
    redirectUris: 'Redirect URIs',
    redirectUrisHint: 'One per line. The sign-in returns to one of these addresses, letter by letter.',
    postLogoutRedirectUris: 'Addresses after signing out',
  },
  de: {
    title: 'Anwendungen',
    lead: 'Websites, Apps und Dienste, deren Benutzer sich hier anmelden.',
    name: 'Name',
    type: 'Art',
    id: 'Client-ID',
    created: 'Erstellt',
    description: 'Beschreibung',
    redirectUris: 'Redirect-URIs',
    redirectUrisHint:
      'Eine je Zeile. Die Anmeldung kehrt zu einer dieser Adressen zurück, Zeichen für Zeichen.',
    postLogoutRedirectUris: 'Adressen nach dem Abmelden',
  },
})

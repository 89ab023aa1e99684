import { phrases } from '../../phrases.ts'

/** Phrases that several parts of this area say. */
export const texts = phrases({
  en: {
    title: 'Sign-in experience',
    lead: 'How the pages of sign-in look and what they offer. The preview shows every change before it is saved.',
    pages: 'Parts of the sign-in experience',
    brand: 'Brand',
    signIn: 'Sign-in and sign-up',
    terms: 'Terms',
    languages: 'Languages and texts',
    signInMethods: 'Sign-in',
    signUp: 'Sign-up',
    social: 'Social buttons',
    mode: 'Who may come in',
    color: 'Colors',
    layout: 'Layout',
    customCss: 'Custom CSS',
    customContent: 'Custom content',
  },
  de: {
    title: 'Anmeldeseiten',
    lead: 'Wie die Seiten der Anmeldung aussehen und was sie anbieten. Die Vorschau zeigt jede Änderung, bevor sie gespeichert ist.',
    pages: 'Teile der Anmeldeseiten',
    brand: 'Marke',
    signIn: 'Anmeldung und Registrierung',
    terms: 'Bedingungen',
    languages: 'Sprachen und Texte',
    signInMethods: 'Anmeldung',
    signUp: 'Registrierung',
    social: 'Knöpfe anderer Anbieter',
    mode: 'Wer sich anmelden darf',
    color: 'Farben',
    layout: 'Aufteilung',
    customCss: 'Eigenes CSS',
    customContent: 'Eigene Inhalte',
  },
})
